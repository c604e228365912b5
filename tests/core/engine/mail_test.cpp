#include "core/engine/mail.hpp"

#include <set>

#include <gtest/gtest.h>

namespace septet {
namespace {

Event event_at(std::int64_t at) { return {.at = Instant(at)}; }

std::multiset<std::int64_t> deliver(Mail& mail, std::size_t home) {
  std::multiset<std::int64_t> times;
  mail.deliver(home, [&](const Event& event) { times.insert(event.at.count()); });
  return times;
}

// Two threads; partitions 0 and 1 at home with thread 0, partition 2 with thread 1.
Mail mail_of_three() {
  Mail mail(2, 3);
  mail.set_home(2, 1);
  return mail;
}

TEST(Mail, DeliversWhatWasPostedBeforeTheTurnOnce) {
  Mail mail = mail_of_three();
  mail.post(0, 2, event_at(5));
  mail.post(1, 2, event_at(3));
  mail.post(1, 0, event_at(9));
  mail.post(1, 1, event_at(8));
  EXPECT_TRUE(deliver(mail, 1).empty());
  mail.turn();
  EXPECT_EQ(deliver(mail, 1), (std::multiset<std::int64_t>{3, 5}));
  EXPECT_EQ(deliver(mail, 0), (std::multiset<std::int64_t>{8, 9}));
  EXPECT_TRUE(deliver(mail, 1).empty());
}

TEST(Mail, TakesPostWhileItDelivers) {
  Mail mail = mail_of_three();
  mail.post(0, 2, event_at(1));
  mail.turn();
  mail.post(0, 2, event_at(2));
  EXPECT_EQ(deliver(mail, 1), (std::multiset<std::int64_t>{1}));
  mail.turn();
  EXPECT_EQ(deliver(mail, 1), (std::multiset<std::int64_t>{2}));
}

TEST(Mail, FollowsAPartitionThatMoves) {
  Mail mail = mail_of_three();
  mail.set_home(2, 0);
  mail.post(1, 2, event_at(4));
  mail.turn();
  EXPECT_TRUE(deliver(mail, 1).empty());
  EXPECT_EQ(deliver(mail, 0), (std::multiset<std::int64_t>{4}));
}

TEST(Mail, KnowsTheReactionOfEachPartition) {
  Mail mail = mail_of_three();
  mail.set_reaction(1, 70_ps);
  mail.set_reaction(2, 90_ps);
  EXPECT_EQ(mail.reaction(1), 70_ps);
  EXPECT_EQ(mail.reaction(2), 90_ps);
}

}  // namespace
}  // namespace septet
