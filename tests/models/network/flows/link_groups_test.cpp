#include "models/network/flows/link_groups.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "models/network/flows/link_sharing.hpp"
#include "tests/models/network/flows/some_links.hpp"

namespace septet::test {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

network::CollectivePlan loads(std::vector<network::LinkLoad> some) {
  network::CollectivePlan plan;
  plan.transfer = 1_us;
  plan.loads = std::move(some);
  return plan;
}

std::vector<std::uint32_t> links_of(const network::CollectivePlan& plan) {
  std::vector<std::uint32_t> out;
  for (const network::LinkLoad& load : plan.loads) out.push_back(load.link);
  return out;
}

TEST(LinkGroups, AreThoseThatEveryPlanLoadsAlike) {
  network::CollectivePlan wide = loads({{1, 10_B}, {2, 10_B}, {3, 10_B}, {4, 20_B}, {7, 10_B}});
  network::CollectivePlan narrow = loads({{2, 5_B}, {1, 5_B}, {8, 5_B}});
  const network::LinkGroups groups(SomeLinks(), {&wide, &narrow});
  EXPECT_EQ(groups.all(), (Groups{{1, 2}, {3, 7}, {4}, {8}}));
  groups.reduce(wide);
  groups.reduce(narrow);
  EXPECT_EQ(links_of(wide), (std::vector<std::uint32_t>{1, 3, 4}));
  EXPECT_EQ(links_of(narrow), (std::vector<std::uint32_t>{1, 8}));
}

// Even links carry half.
class TwoRates : public SomeLinks {
 public:
  ByteRate link_rate(std::uint32_t link) const override {
    return link % 2 == 0 ? 50_GBps : 100_GBps;
  }
};

TEST(LinkGroups, HaveOneRate) {
  const network::CollectivePlan plan = loads({{0, 10_B}, {1, 10_B}, {2, 10_B}, {3, 10_B}});
  EXPECT_EQ(network::LinkGroups(TwoRates(), {&plan}).all(), (Groups{{0, 2}, {1, 3}}));
}

TEST(LinkGroups, OfNoPlansAreNone) {
  EXPECT_TRUE(network::LinkGroups(SomeLinks(), {}).all().empty());
}

// A few plans over links in blocks, so that there is something to put together.
std::vector<network::CollectivePlan> random_plans(RandomStream& random) {
  std::vector<network::CollectivePlan> plans(6);
  for (network::CollectivePlan& plan : plans) {
    plan.transfer = Duration(1'000'000 + static_cast<std::int64_t>(random.below(9'000'000)));
    for (std::uint32_t block = 0; block < 5; ++block) {
      if (random.below(2) == 0) continue;
      const Bytes bytes(static_cast<std::int64_t>(1'000 * (1 + random.below(900))));
      for (std::uint32_t l = 0; l < 4; ++l) plan.loads.push_back({block * 4 + l, bytes});
    }
  }
  return plans;
}

// What stands for others shares as all of them do, to the picosecond.
TEST(LinkGroups, ChangeNoTime) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    RandomStream random(RandomKey{seed, 0, 0});
    const SomeLinks network;
    const std::vector<network::CollectivePlan> plans = random_plans(random);
    std::vector<network::CollectivePlan> reduced = plans;
    std::vector<const network::CollectivePlan*> all;
    for (const network::CollectivePlan& plan : plans) all.push_back(&plan);
    const network::LinkGroups groups(network, all);
    for (network::CollectivePlan& plan : reduced) groups.reduce(plan);
    EXPECT_LE(groups.all().size(), 5U) << "seed " << seed;
    network::LinkSharing whole(network);
    network::LinkSharing first(network);
    for (std::uint32_t i = 0; i < plans.size(); ++i) {
      const Instant now(static_cast<std::int64_t>(i) * 100'000);
      const auto wanted = whole.start(i, plans[i], now);
      const auto got = first.start(i, reduced[i], now);
      ASSERT_EQ(got.size(), wanted.size()) << "seed " << seed;
      for (std::size_t e = 0; e < got.size(); ++e) {
        EXPECT_EQ(got[e].transfer, wanted[e].transfer) << "seed " << seed;
        EXPECT_EQ(got[e].at, wanted[e].at) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace septet::test
