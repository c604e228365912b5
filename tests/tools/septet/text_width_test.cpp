#include "tools/septet/text_width.hpp"

#include <gtest/gtest.h>

namespace septet::command {
namespace {

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(text_width("abc"), 3U);
  EXPECT_EQ(text_width("µs"), 2U);          // two bytes, one column
  EXPECT_EQ(text_width("核"), 2U);          // three bytes, two columns
  EXPECT_EQ(text_width("e\u0301"), 1U);     // a letter and its accent
  EXPECT_EQ(text_width("\U0001F600"), 2U);  // four bytes, two columns
  EXPECT_EQ(text_width("\xFF\xC3"), 2U);    // invalid bytes, one column each
}

TEST(Printable, ReplacesWhatWouldBreakATable) {
  EXPECT_EQ(printable("a\nb\tc\x7F"), "a b c ");
  EXPECT_EQ(printable("a\xFFz"), "a?z");
  EXPECT_EQ(printable("cut \xE6\xA0"), "cut ??");  // two of the three bytes of a character
  EXPECT_EQ(printable("\xC0\x80"), "??");          // an overlong form of NUL
}

TEST(Shorten, LeavesWhatFits) {
  EXPECT_EQ(shorten("kernel", 6), "kernel");
  EXPECT_EQ(shorten("", 0), "");
}

TEST(Shorten, CutsInTheMiddle) {
  // Seven columns: three of the head, the ellipsis, three of the tail.
  EXPECT_EQ(shorten("abcdefghij", 7), "abc…hij");
  EXPECT_EQ(shorten("abcdefghij", 1), "…");
}

TEST(Shorten, NeverCutsACharacterAndNeverExceedsTheColumns) {
  const std::string name =
      "核心kernelµ<e\u0301\U0001F600>"
      "終";
  for (std::size_t columns = 0; columns <= text_width(name); ++columns) {
    const std::string cut = shorten(name, columns);
    EXPECT_LE(text_width(cut), columns);
    EXPECT_EQ(printable(cut), cut) << "an invalid byte at " << columns << " columns";
  }
}

}  // namespace
}  // namespace septet::command
