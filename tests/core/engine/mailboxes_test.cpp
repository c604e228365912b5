#include "core/engine/mailboxes.hpp"

#include <set>

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

Event event_at(std::int64_t at) { return {.at = Instant(at)}; }

std::multiset<std::int64_t> deliver(Mailboxes& mailboxes, std::size_t home) {
  std::multiset<std::int64_t> times;
  mailboxes.deliver(home, [&](const Event& event) { times.insert(event.at.count()); });
  return times;
}

// Two threads; partitions 0 and 1 at home with thread 0, partition 2 with thread 1.
Mailboxes three_partitions() {
  Mailboxes mailboxes(2, 3);
  mailboxes.set_home(2, 1);
  return mailboxes;
}

TEST(Mailboxes, DeliversWhatWasPostedInTheLastWindowOnce) {
  Mailboxes mailboxes = three_partitions();
  mailboxes.post(0, 2, event_at(5));
  mailboxes.post(1, 2, event_at(3));
  mailboxes.post(1, 0, event_at(9));
  mailboxes.post(1, 1, event_at(8));
  EXPECT_TRUE(deliver(mailboxes, 1).empty());
  mailboxes.advance();
  EXPECT_EQ(deliver(mailboxes, 1), (std::multiset<std::int64_t>{3, 5}));
  EXPECT_EQ(deliver(mailboxes, 0), (std::multiset<std::int64_t>{8, 9}));
  EXPECT_TRUE(deliver(mailboxes, 1).empty());
}

TEST(Mailboxes, TakesPostWhileItDelivers) {
  Mailboxes mailboxes = three_partitions();
  mailboxes.post(0, 2, event_at(1));
  mailboxes.advance();
  mailboxes.post(0, 2, event_at(2));
  EXPECT_EQ(deliver(mailboxes, 1), (std::multiset<std::int64_t>{1}));
  mailboxes.advance();
  EXPECT_EQ(deliver(mailboxes, 1), (std::multiset<std::int64_t>{2}));
}

TEST(Mailboxes, FollowsAPartitionThatMoves) {
  Mailboxes mailboxes = three_partitions();
  mailboxes.set_home(2, 0);
  mailboxes.post(1, 2, event_at(4));
  mailboxes.advance();
  EXPECT_TRUE(deliver(mailboxes, 1).empty());
  EXPECT_EQ(deliver(mailboxes, 0), (std::multiset<std::int64_t>{4}));
}

TEST(Mailboxes, KnowsTheLookaheadOfEachPartition) {
  Mailboxes mailboxes = three_partitions();
  mailboxes.set_lookahead(1, 70_ps);
  mailboxes.set_lookahead(2, 90_ps);
  EXPECT_EQ(mailboxes.lookahead(1), 70_ps);
  EXPECT_EQ(mailboxes.lookahead(2), 90_ps);
}

}  // namespace
}  // namespace septet::engine
