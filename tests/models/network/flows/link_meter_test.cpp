#include "models/network/flows/link_meter.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "tests/models/network/flows/some_links.hpp"

namespace septet::test {
namespace {

// Transfers over links of 100 GB/s, all of them watched but link 99.
struct Metered {
  const SomeLinks network;
  network::LinkSharing sharing{network};
  std::vector<std::int32_t> codes;
  network::LinkMeter meter{network, sharing, codes};
  std::vector<network::LinkInterval> intervals;

  Metered() : codes(100, 0) { codes[99] = -1; }

  std::vector<network::LinkSharing::Ending> start(std::uint32_t id,
                                                  const network::CollectivePlan& plan,
                                                  Instant now) {
    auto endings = sharing.start(id, plan, now);
    keep(meter.start(id, plan, now, endings));
    return endings;
  }
  std::vector<network::LinkSharing::Ending> end(std::uint32_t id, Instant now) {
    auto endings = sharing.end(id, now);
    keep(meter.end(id, now, endings));
    return endings;
  }
  void keep(const std::vector<network::LinkInterval>& more) {
    intervals.insert(intervals.end(), more.begin(), more.end());
  }
};

void expect(const network::LinkInterval& got, std::uint32_t link, Instant start, Instant end,
            Bytes bytes, double utilization) {
  EXPECT_EQ(got.link, link);
  EXPECT_EQ(got.start, start);
  EXPECT_EQ(got.end, end);
  EXPECT_EQ(got.bytes, bytes);
  EXPECT_DOUBLE_EQ(got.utilization, utilization);
}

TEST(LinkMeter, ATransferAloneIsOneIntervalOnEachOfItsLinks) {
  Metered links;
  const network::CollectivePlan half = plan_over(10_us, 0.5, {4, 2, 99});
  links.start(7, half, at(5));
  EXPECT_TRUE(links.intervals.empty());
  links.end(7, at(15));
  ASSERT_EQ(links.intervals.size(), 2U);  // nobody watches link 99
  expect(links.intervals[0], 2, at(5), at(15), 500'000_B, 0.5);
  expect(links.intervals[1], 4, at(5), at(15), 500'000_B, 0.5);
}

TEST(LinkMeter, AnIntervalEndsWhenTheLinksRateChanges) {
  Metered links;
  const network::CollectivePlan half = plan_over(10_us, 0.5, {3});
  links.start(1, half, at(0));
  links.start(2, half, at(1));
  links.end(1, at(10));
  links.end(2, at(11));
  ASSERT_EQ(links.intervals.size(), 3U);
  expect(links.intervals[0], 3, at(0), at(1), 50'000_B, 0.5);
  expect(links.intervals[1], 3, at(1), at(10), 900'000_B, 1);
  expect(links.intervals[2], 3, at(10), at(11), 50'000_B, 0.5);
}

// Two transfers, each of which would fill the link, from 0 and 4 us: it is full until 20 us, and
// who has which part of it makes no difference.
TEST(LinkMeter, AFullLinkIsOneIntervalWhoeverSharesIt) {
  Metered links;
  const network::CollectivePlan ten = plan_over(10_us, 1, {0});
  links.start(1, ten, at(0));
  links.start(2, ten, at(4));
  links.end(1, at(16));
  EXPECT_TRUE(links.intervals.empty());
  links.end(2, at(20));
  ASSERT_EQ(links.intervals.size(), 1U);
  expect(links.intervals[0], 0, at(0), at(20), 2'000'000_B, 1);
}

// Link 0 holds transfer 1 to half of its rate while 2 is there; then its other link has half too.
TEST(LinkMeter, ATransferThatIsSlowedElsewhereCarriesLessHere) {
  Metered links;
  const network::CollectivePlan both = plan_over(10_us, 1, {0, 1});
  const network::CollectivePlan first = plan_over(10_us, 1, {0});
  links.start(1, both, at(0));
  links.start(2, first, at(2));
  ASSERT_EQ(links.intervals.size(), 1U);
  expect(links.intervals[0], 1, at(0), at(2), 200'000_B, 1);
  links.end(1, at(2 + 2 * 8));
  ASSERT_EQ(links.intervals.size(), 2U);
  expect(links.intervals[1], 1, at(2), at(18), 800'000_B, 0.5);
}

// 1 us carries 100,000 of 300,000 bytes; the rest goes while the collective starts up for 4 us. One
// of no transfer time has all of its 1,000 bytes there.
TEST(LinkMeter, BytesThatTheTransferHasNoTimeForCountForTheStartUp) {
  Metered links;
  network::CollectivePlan plan = plan_over(1_us, 3, {5});
  plan.startup = 4_us;
  const auto during = links.meter.start_up(plan, at(10));
  ASSERT_EQ(during.size(), 1U);
  expect(during[0], 5, at(10), at(14), 200'000_B, 0.5);
  links.start(1, plan, at(14));
  links.end(1, at(15));
  ASSERT_EQ(links.intervals.size(), 1U);
  expect(links.intervals[0], 5, at(14), at(15), 100'000_B, 1);

  plan.transfer = Duration(0);
  plan.loads = {{6, 1'000_B}, {99, 1'000_B}};
  const auto all = links.meter.start_up(plan, at(20));
  ASSERT_EQ(all.size(), 1U);
  expect(all[0], 6, at(20), at(24), 1'000_B, 0.0025);
  EXPECT_TRUE(links.meter.start_up(plan_over(1_us, 1, {6}), at(0)).empty());
}

// Whatever comes and goes: the bytes of each link's intervals are those of the loads, to the byte,
// and no interval of a link begins before the last one's end or is above the link's rate.
TEST(LinkMeter, LosesNoByte) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomStream random(RandomKey{seed, 0, 0});
    Metered links;
    std::vector<network::CollectivePlan> plans(40);
    std::map<std::uint32_t, std::int64_t> wanted;
    std::map<std::uint32_t, Instant> ends;
    const auto note = [&](const std::vector<network::LinkSharing::Ending>& endings) {
      for (const auto& one : endings) ends[one.transfer] = one.at;
    };
    Instant now;
    const auto finish_until = [&](Instant until) {
      while (!ends.empty()) {
        const auto next = std::ranges::min_element(
            ends, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
        if (next->second > until) return;
        now = next->second;
        const std::uint32_t id = next->first;
        ends.erase(next);
        note(links.end(id, now));
      }
    };
    for (std::uint32_t i = 0; i < plans.size(); ++i) {
      std::vector<std::uint32_t> some;
      for (std::uint32_t link = 0; link < 6; ++link) {
        if (random.below(3) == 0) some.push_back(link);
      }
      const Duration alone(1'000'000 + static_cast<std::int64_t>(random.below(9'000'000)));
      plans[i] = plan_over(alone, 0.1 + 0.9 * random.uniform(), some);
      for (const network::LinkLoad& load : plans[i].loads) wanted[load.link] += load.bytes.count();
      now = std::max(now, Instant(static_cast<std::int64_t>(i) * 700'000));
      finish_until(now);
      note(links.start(i, plans[i], now));
    }
    finish_until(Instant::max());
    std::map<std::uint32_t, std::int64_t> got;
    std::map<std::uint32_t, Instant> last;
    for (const network::LinkInterval& one : links.intervals) {
      EXPECT_LE(last[one.link], one.start) << "seed " << seed;
      EXPECT_LT(one.start, one.end) << "seed " << seed;
      EXPECT_LE(one.utilization, 1 + 1e-9) << "seed " << seed;
      // A byte or two of rounding.
      EXPECT_NEAR(static_cast<double>(one.bytes.count()),
                  one.utilization * 100e9 * to_seconds(one.end - one.start), 2)
          << "seed " << seed;
      last[one.link] = one.end;
      got[one.link] += one.bytes.count();
    }
    EXPECT_EQ(got, wanted) << "seed " << seed;
  }
}

}  // namespace
}  // namespace septet::test
