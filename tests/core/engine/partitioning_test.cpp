#include "core/engine/partitioning.hpp"

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

class Idle : public LogicalProcess {
 public:
  void handle(const Event&, Context&) override {}
};

LpTable table_of(std::initializer_list<GroupId> groups) {
  LpTable table;
  for (const GroupId group : groups) table.add(std::make_unique<Idle>(), group, "");
  return table;
}

TEST(Partitioning, NeverSplitsAGroup) {
  const LpTable table = table_of({7, 3, 7, 3, 7, 5, 5, 3});
  for (const std::size_t count : {1U, 2U, 3U, 8U}) {
    const Partitioning split = split_groups(table, count);
    EXPECT_EQ(split.of_lp[0], split.of_lp[2]);
    EXPECT_EQ(split.of_lp[0], split.of_lp[4]);
    EXPECT_EQ(split.of_lp[1], split.of_lp[3]);
    EXPECT_EQ(split.of_lp[1], split.of_lp[7]);
    EXPECT_EQ(split.of_lp[5], split.of_lp[6]);
  }
}

TEST(Partitioning, MakesNoMorePartitionsThanGroupsAndNoEmptyOnes) {
  const Partitioning split = split_groups(table_of({0, 0, 1, 1, 2}), 100);
  ASSERT_EQ(split.count(), 3U);
  EXPECT_EQ(split.members[0], (std::vector<LpId>{0, 1}));
  EXPECT_EQ(split.members[1], (std::vector<LpId>{2, 3}));
  EXPECT_EQ(split.members[2], (std::vector<LpId>{4}));
}

TEST(Partitioning, SharesLpsEvenly) {
  LpTable table;
  for (GroupId group = 0; group < 100; ++group) table.add(std::make_unique<Idle>(), group, "");
  const Partitioning split = split_groups(table, 8);
  ASSERT_EQ(split.count(), 8U);
  for (const auto& members : split.members) {  // 100 / 8 = 12.5
    EXPECT_GE(members.size(), 12U);
    EXPECT_LE(members.size(), 13U);
  }
}

TEST(Partitioning, GivesEachGroupItsOwnWhereThatTakesHardlyMorePartitions) {
  // 16 nodes of 10 LPs, and two single LPs behind them: 18 = 16 + 16 / 8.
  LpTable table;
  for (GroupId group = 0; group < 18; ++group) {
    for (int n = group < 16 ? 10 : 1; n > 0; --n) table.add(std::make_unique<Idle>(), group, "");
  }
  EXPECT_EQ(split_groups(table, 16).count(), 18U);
  EXPECT_LE(split_groups(table, 15).count(), 15U);
}

TEST(Partitioning, WantsOnePartitionForOneThreadAndFewLps) {
  EXPECT_EQ(wanted_partitions({.threads = 1}, 10'000), 1U);
  EXPECT_GT(wanted_partitions({.threads = 2}, 10'000), 2U);
}

TEST(Partitioning, WantsPartitionsThatFitTheCacheForManyLps) {
  // 2^20 / 2048 = 512 for one thread and for two; not fewer than several a thread.
  EXPECT_EQ(wanted_partitions({.threads = 1}, 1U << 20), 512U);
  EXPECT_EQ(wanted_partitions({.threads = 2}, 1U << 20), 512U);
  EXPECT_GT(wanted_partitions({.threads = 300}, 1U << 20), 600U);
}

TEST(Partitioning, WantsSmallPartitionsForManyLpsOfDynamicLookahead) {
  // 4096 / 8 = 512; few of them change nothing.
  EXPECT_EQ(wanted_partitions({.threads = 1}, 10'000, 4096), 512U);
  EXPECT_EQ(wanted_partitions({.threads = 4}, 10'000, 4096), 512U);
  EXPECT_EQ(wanted_partitions({.threads = 1}, 10'000, 16), 1U);
}

TEST(Partitioning, WantsWhatTheOptionsSay) {
  EXPECT_EQ(wanted_partitions({.threads = 2, .partitions = 5}, 1U << 20), 5U);
  EXPECT_EQ(wanted_partitions({.threads = 1, .partitions = 5}, 10'000), 5U);
  EXPECT_EQ(wanted_partitions({.threads = 1, .partitions = 1}, 1U << 20), 1U);
}

}  // namespace
}  // namespace septet::engine
