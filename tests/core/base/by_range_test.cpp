#include "core/base/by_range.hpp"

#include <string>

#include <gtest/gtest.h>

namespace septet {
namespace {

TEST(ByRange, HasTheUsualValueOutsideOfRanges) {
  ByRange<std::string> names("usual");
  names.set(8, 4, "second");
  names.set(2, 1, "third");
  EXPECT_EQ(names.kinds(), 3U);
  for (const std::uint32_t index : {0U, 1U, 3U, 7U, 12U, 0xFFFFFFFFU}) {
    EXPECT_EQ(names[index], "usual");
    EXPECT_EQ(names.kind(index), 0U);
  }
  EXPECT_EQ(names[8], "second");
  EXPECT_EQ(names[11], "second");
  EXPECT_EQ(names[2], "third");
  EXPECT_EQ(names.of_kind(2), "third");
}

}  // namespace
}  // namespace septet
