#include "models/workload/recorded/recording/utf8.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

std::string valid(std::string text) {
  recorded::make_valid_utf8(text);
  return text;
}

TEST(Utf8, ReplacesExactlyWhatIsNotUtf8) {
  const std::string mark = "\xEF\xBF\xBD";
  for (const std::string good : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                 "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(valid(good), good);
  }
  EXPECT_EQ(valid("a\x80z"), "a" + mark + "z");                     // continuation alone
  EXPECT_EQ(valid("\xC0\xAF"), mark + mark);                        // overlong
  EXPECT_EQ(valid("\xE0\x80\x80"), mark + mark + mark);             // overlong
  EXPECT_EQ(valid("\xED\xA0\x80"), mark + mark + mark);             // surrogate
  EXPECT_EQ(valid("\xF4\x90\x80\x80"), mark + mark + mark + mark);  // beyond U+10FFFF
  EXPECT_EQ(valid("\xE2\x82"), mark + mark);                        // cut
  EXPECT_EQ(valid(std::string("a\0b", 3)), "a" + mark + "b");
}

}  // namespace
}  // namespace septet::test
