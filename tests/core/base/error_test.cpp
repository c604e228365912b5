#include "core/base/error.hpp"

#include <gtest/gtest.h>

namespace septet {
namespace {

TEST(Location, LeavesOutWhatIsUnknown) {
  EXPECT_EQ((Location{"a.toml", 12, 3}.text()), "a.toml:12:3");
  EXPECT_EQ((Location{"a.toml", 12}.text()), "a.toml:12");
  EXPECT_EQ((Location{"a.toml"}.text()), "a.toml");
}

TEST(Location, NamesTheByteOnlyWhereThereIsNoLine) {
  EXPECT_EQ((Location{"t.json", 0, 0, 345}.text()), "t.json: byte 345");
  EXPECT_EQ((Location{"t.json", 7, 0, 345}.text()), "t.json:7");
}

TEST(ConfigError, SaysPlaceKeyGotAndWanted) {
  const ConfigError error =
      ConfigError::value({"a.toml", 12, 3}, "link.latency", "\"5\"", "a unit");
  EXPECT_STREQ(error.what(), "a.toml:12:3: link.latency: got \"5\", wanted a unit");
  EXPECT_EQ(error.where().line, 12);
}

TEST(ConfigError, HasItsReasonWithoutThePlace) {
  EXPECT_EQ(ConfigError({"a.toml", 12, 3}, "no good").reason(), "no good");
  EXPECT_EQ(ConfigError({}, "no good").reason(), "no good");
}

TEST(ConfigError, StandsAloneWithoutAFile) {
  EXPECT_STREQ(ConfigError({}, "no file given").what(), "no file given");
}

TEST(AssertionDeathTest, PrintsExpressionAndPlaceAndAborts) {
  EXPECT_DEATH(SEPTET_ASSERT(1 + 1 == 3), "error_test.cpp:[0-9]+: .*bug in septet.*: 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace septet
