#include "scenarios/config/toml/near_miss.hpp"

#include <gtest/gtest.h>

#include "scenarios/config/toml/renamed.hpp"

namespace septet::config {
namespace {

TEST(NearMiss, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("grid", "grid"), 0U);
  EXPECT_EQ(edit_distance("gird", "grid"), 1U);  // a swap of neighbours
  EXPECT_EQ(edit_distance("grd", "grid"), 1U);   // an insertion
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(NearMiss, SuggestsUpToAThirdOfTheLettersAndNoMore) {
  // Of six letters two may differ, of five only one.
  EXPECT_EQ(near_misses("blocks", {"blacky"}), std::vector<std::string>{"blacky"});
  EXPECT_TRUE(near_misses("block", {"blaky"}).empty());
}

TEST(NearMiss, IgnoresCaseAndSeparators) {
  EXPECT_EQ(did_you_mean("nvidia-h200", {"NVIDIA H200", "NVIDIA A100"}),
            " (did you mean 'NVIDIA H200'?)");
}

TEST(NearMiss, SuggestsTheNearestAlone) {
  // "launchs" lacks one letter, "launch" two; of two that are equally near both are named.
  EXPECT_EQ(did_you_mean("launches", {"launch", "launchs"}), " (did you mean 'launchs'?)");
  EXPECT_EQ(did_you_mean("s12", {"s1", "s2", "x"}), " (did you mean 's1' or 's2'?)");
  EXPECT_EQ(did_you_mean("xyz", {"launch"}), "");
}

TEST(NearMiss, SaysWhatARenamedThingIsCalledNowWhereTheNewNameIsKnown) {
  for (const RenamedName& name : renamed_names()) {
    const std::string now(name.now);
    EXPECT_EQ(did_you_mean(name.before, {"elsewhere", now}),
              " ('" + std::string(name.before) + "' is now called '" + now + "')");
  }
  EXPECT_EQ(did_you_mean("--hardware", {"--host"}), "");
}

TEST(NearMiss, OfARenamedThingIsNeverItsOldName) {
  for (const RenamedName& name : renamed_names()) EXPECT_NE(name.before, name.now);
}

}  // namespace
}  // namespace septet::config
