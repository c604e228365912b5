#include "core/engine/channels.hpp"

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

TEST(Channels, AreDirected) {
  Channels channels;
  channels.add({0, 1, Duration(5)});
  channels.freeze(2);
  EXPECT_EQ(channels.lookahead(0, 1), Duration(5));
  EXPECT_EQ(channels.lookahead(1, 0), Channels::kNoChannel);
}

TEST(Channels, TakeTheSmallestLookaheadOfSeveral) {
  Channels channels;
  channels.add({2, 0, Duration(9)});
  channels.add({2, 0, Duration(4)});
  channels.add({2, 1, Duration(3)});
  channels.freeze(3);
  EXPECT_EQ(channels.lookahead(2, 0), Duration(4));
  channels.add_all(Duration(7));
  EXPECT_EQ(channels.lookahead(2, 0), Duration(4));
  EXPECT_EQ(channels.lookahead(0, 2), Duration(7));
}

TEST(Channels, ListThoseOfOneSenderByReceiver) {
  Channels channels;
  for (const LpId to : {3U, 1U, 2U}) channels.add({1, to, Duration(to)});
  channels.add({0, 3, Duration(8)});
  channels.freeze(4);
  ASSERT_EQ(channels.from(1).size(), 3U);
  EXPECT_EQ(channels.from(1)[0].to, 1U);
  EXPECT_EQ(channels.from(1)[2].to, 3U);
  EXPECT_TRUE(channels.from(2).empty());
  EXPECT_TRUE(channels.from(3).empty());
}

}  // namespace
}  // namespace septet::engine
