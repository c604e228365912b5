#include "models/network/flows/link_sharing.hpp"

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "tests/models/network/flows/some_links.hpp"

namespace septet::test {
namespace {

TEST(LinkSharing, OneTransferTakesItsTimeAlone) {
  const SomeLinks network;
  network::LinkSharing links(network);
  const network::CollectivePlan alone = plan_over(10_us, 1, {0, 1});
  const auto endings = links.start(7, alone, at(5));
  ASSERT_EQ(endings.size(), 1U);
  EXPECT_EQ(endings[0].transfer, 7U);
  EXPECT_EQ(endings[0].at, at(15));
  EXPECT_TRUE(links.end(7, at(15)).empty());
  EXPECT_EQ(links.running(), 0U);
}

TEST(LinkSharing, TwoOnOneLinkStretchEachOther) {
  const SomeLinks network;
  network::LinkSharing links(network);
  const network::CollectivePlan ten = plan_over(10_us, 1, {0});
  links.start(1, ten, at(0));
  // At 4 us the first has 6 us of work left; from there both run at half their rate.
  const auto endings = links.start(2, ten, at(4));
  ASSERT_EQ(endings.size(), 2U);
  EXPECT_EQ(endings[0].at, at(4 + 2 * 6));
  EXPECT_EQ(endings[1].at, at(4 + 2 * 10));
  // When the first ends at 16 us, the second has done 6 us of its 10 and is alone again.
  const auto after = links.end(1, at(16));
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].at, at(16 + 4));
}

// Two that reach half of the link's rate alone, as their flags take the other half, have a quarter
// of it each; beside one that fills the link, as much.
TEST(LinkSharing, FlagsTakeTheirPartOfASharedLink) {
  const SomeLinks network;
  network::CollectivePlan flagged = plan_over(10_us, 0.5, {0});
  flagged.protocol = program::CollectiveProtocol::kLowLatency;
  const network::CollectivePlan simple = plan_over(10_us, 1, {0});
  for (const network::CollectivePlan& other : {flagged, simple}) {
    network::LinkSharing links(network);
    links.start(1, flagged, at(0));
    const auto endings = links.start(2, other, at(0));
    ASSERT_EQ(endings.size(), 2U);
    EXPECT_EQ(endings[0].at, at(20));
    EXPECT_EQ(endings[1].at, at(20));
  }
}

// LL's first bytes travel while its steps are waited for, so that what is left moves faster than a
// link could: still it has no more than the whole link.
TEST(LinkSharing, NoTransferTakesMoreThanTheLink) {
  const SomeLinks network;
  network::LinkSharing links(network);
  network::CollectivePlan flagged = plan_over(10_us, 0.8, {0});
  flagged.protocol = program::CollectiveProtocol::kLowLatency;
  const network::CollectivePlan elsewhere = plan_over(10_us, 0.25, {0, 1});
  links.start(1, flagged, at(0));
  const auto endings = links.start(2, elsewhere, at(0));
  // Rates rise together to 1 / 1.25.
  ASSERT_EQ(endings.size(), 2U);
  EXPECT_EQ(endings[0].at, at(0) + 12'500_ns);
  EXPECT_EQ(endings[1].at, at(0) + 12'500_ns);
}

TEST(LinkSharing, TransfersThatFitTogetherDoNotStretch) {
  const SomeLinks network;
  network::LinkSharing links(network);
  const network::CollectivePlan half = plan_over(10_us, 0.5, {3});
  links.start(1, half, at(0));
  const auto endings = links.start(2, half, at(1));
  ASSERT_EQ(endings.size(), 1U);  // the first goes on as before
  EXPECT_EQ(endings[0].at, at(11));
}

// Links 0 and 1: transfer 1 over both, 2 over the first, 3 and 4 over the second. The second link
// gives a third to each of 1, 3 and 4; then 2 has what 1 leaves of the first, two thirds.
TEST(LinkSharing, IsMaxMinFairOverSeveralLinks) {
  const SomeLinks network;
  network::LinkSharing links(network);
  const network::CollectivePlan both = plan_over(30_us, 1, {0, 1});
  const network::CollectivePlan first = plan_over(30_us, 1, {0});
  const network::CollectivePlan second = plan_over(30_us, 1, {1});
  links.start(1, both, at(0));
  links.start(2, first, at(0));
  links.start(3, second, at(0));
  const auto endings = links.start(4, second, at(0));
  ASSERT_EQ(endings.size(), 4U);
  EXPECT_EQ(endings[0].at, at(90));
  EXPECT_EQ(endings[1].at, at(45));
  EXPECT_EQ(endings[2].at, at(90));
  EXPECT_EQ(endings[3].at, at(90));
}

// Half of a transfer's 10 us alone are done after 5, three quarters after 5 more at half the rate.
TEST(LinkSharing, TellsHowFarATransferIs) {
  const SomeLinks network;
  network::LinkSharing links(network);
  const network::CollectivePlan ten = plan_over(10_us, 1, {0});
  links.start(1, ten, at(0));
  EXPECT_EQ(links.rate(1), 1);
  EXPECT_DOUBLE_EQ(links.done(1, at(5)), 0.5);
  links.start(2, ten, at(5));
  EXPECT_DOUBLE_EQ(links.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(links.done(1, at(10)), 0.75);
}

TEST(LinkSharing, TransfersOnOtherLinksGoOnUntouched) {
  const SomeLinks network;
  network::LinkSharing links(network);
  const network::CollectivePlan here = plan_over(10_us, 1, {0});
  const network::CollectivePlan there = plan_over(10_us, 1, {1});
  links.start(1, here, at(0));
  const auto endings = links.start(2, there, at(2));
  ASSERT_EQ(endings.size(), 1U);
  EXPECT_EQ(endings[0].transfer, 2U);
}

// Whatever starts and ends, all work is done: on one full link the last transfer ends when the sum
// of all times alone has passed, as long as the link was never idle.
TEST(LinkSharing, LosesNoWork) {
  const SomeLinks network;
  RandomStream random(RandomKey{3, 0, 0});
  for (int round = 0; round < 20; ++round) {
    network::LinkSharing links(network);
    std::vector<network::CollectivePlan> plans(10);
    std::vector<Instant> ends(plans.size(), Instant::max());
    Duration sum{};
    const auto note = [&](const std::vector<network::LinkSharing::Ending>& endings) {
      for (const auto& ending : endings) ends[ending.transfer] = ending.at;
    };
    for (std::uint32_t i = 0; i < plans.size(); ++i) {
      plans[i] = plan_over(Duration(1'000'000 + static_cast<std::int64_t>(random.below(9'000'000))),
                           1, {0});
      sum += plans[i].transfer;
      note(links.start(i, plans[i], Instant(static_cast<std::int64_t>(i) * 1000)));
    }
    Instant last;
    while (links.running() > 0) {
      const auto next = std::min_element(ends.begin(), ends.end());
      last = *next;
      const auto id = static_cast<std::uint32_t>(next - ends.begin());
      ends[id] = Instant::max();
      note(links.end(id, last));
    }
    // Each change of rates rounds ends to a picosecond.
    EXPECT_NEAR(static_cast<double>((last - Instant()).count()), static_cast<double>(sum.count()),
                200)
        << "round " << round;
  }
}

}  // namespace
}  // namespace septet::test
