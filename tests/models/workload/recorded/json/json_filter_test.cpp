#include "models/workload/recorded/json/json_filter.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace septet::recorded {
namespace {

// Filters `text` in pieces of at most `piece` new bytes each, as a reader would.
std::string filtered(std::string text, std::size_t piece, JsonFilter& filter) {
  std::size_t done = 0;
  std::size_t seen = 0;
  while (seen < text.size()) {
    seen = std::min(seen + piece, text.size());
    done += filter.apply(std::span(text.data() + done, seen - done), seen == text.size());
  }
  EXPECT_EQ(done, text.size());
  return text;
}

TEST(JsonFilter, GivesTheSameTextForPiecesOfAnySize) {
  const std::string text =
      "{\"a\": [-inf, NaN, Infinity,+inf, -Infinity, null, -1, 1e-3, nan],"
      "\"in\\\"f nan\\\\\": \"x\x01y\", \x02 \"b\":inf}";
  const std::string wanted =
      "{\"a\": [\"\"  , \"\" , \"\"      ,\"\"  , \"\"       , null, -1, 1e-3,"
      " \"\" ],\"in\\\"f nan\\\\\": \"x y\",   \"b\":\"\" }";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    JsonFilter filter;
    EXPECT_EQ(filtered(text, piece, filter), wanted) << "pieces of " << piece;
    EXPECT_EQ(filter.not_numbers(), 7U);
    EXPECT_EQ(filter.control_characters(), 2U);
  }
}

TEST(JsonFilter, LeavesWordsThatOnlyStartLikeOne) {
  JsonFilter filter;
  EXPECT_EQ(filtered("[info, nano, infinityx]", 100, filter), "[info, nano, infinityx]");
  EXPECT_EQ(filter.not_numbers(), 0U);
}

}  // namespace
}  // namespace septet::recorded
