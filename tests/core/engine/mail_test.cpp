#include "core/engine/mail.hpp"

#include <set>

#include <gtest/gtest.h>

namespace septet {
namespace {

Event event_at(std::int64_t at, std::uint64_t order = 0) {
  return {.at = Instant(at), .order = order};
}

std::multiset<std::int64_t> deliver(Mail& mail, PartitionId to) {
  std::multiset<std::int64_t> times;
  mail.deliver(to, [&](const Event& event) { times.insert(event.at.count()); });
  return times;
}

TEST(Mail, DeliversWhatWasPostedBeforeTheTurnOnce) {
  Mail mail(3);
  mail.post(0, 2, event_at(5));
  mail.post(1, 2, event_at(3));
  mail.post(1, 0, event_at(9));
  EXPECT_TRUE(deliver(mail, 2).empty());
  mail.turn();
  EXPECT_EQ(deliver(mail, 2), (std::multiset<std::int64_t>{3, 5}));
  EXPECT_EQ(deliver(mail, 0), (std::multiset<std::int64_t>{9}));
  EXPECT_TRUE(deliver(mail, 2).empty());
}

TEST(Mail, KnowsTheEarliestArrivalOfEachReceiver) {
  Mail mail(2);
  mail.post(0, 1, event_at(5));
  mail.post(0, 1, event_at(3));
  mail.post(0, 1, event_at(4));
  mail.turn();
  EXPECT_EQ(mail.earliest(1), Instant(3));
  EXPECT_EQ(mail.earliest(0), Instant::max());
  deliver(mail, 1);
  mail.turn();
  EXPECT_EQ(mail.earliest(1), Instant::max());
}

TEST(Mail, TakesPostWhileItDelivers) {
  Mail mail(2);
  mail.post(0, 1, event_at(1));
  mail.turn();
  mail.post(0, 1, event_at(2));
  EXPECT_EQ(deliver(mail, 1), (std::multiset<std::int64_t>{1}));
  mail.turn();
  EXPECT_EQ(deliver(mail, 1), (std::multiset<std::int64_t>{2}));
}

TEST(Mail, TellsMoreThan64SendersApart) {
  Mail mail(130);
  for (PartitionId from = 0; from < 130; ++from) mail.post(from, 129, event_at(from));
  mail.turn();
  EXPECT_EQ(deliver(mail, 129).size(), 130U);
}

}  // namespace
}  // namespace septet
