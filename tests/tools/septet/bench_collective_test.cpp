// Which algorithm `septet bench collective` takes where none is named.
#include <gtest/gtest.h>

#include "models/network/topology/shapes.hpp"
#include "tools/septet/bench/collective.hpp"

namespace septet::test {
namespace {

using enum program::CollectiveAlgorithm;

// 64 GPUs around a switch: two links of 50 GB/s and half a microsecond from each to each.
network::Topology star() {
  const network::LinkSpec link{.rate = 50_GBps, .latency = 500_ns};
  return network::plain({{.shape = network::PlainShape::kSwitch, .extent = 64, .link = link}})
      .build();
}

command::CollectiveReport report_of(Bytes bytes, program::CollectiveAlgorithm algorithm = kAuto) {
  command::CollectiveOptions options;
  options.request.bytes = bytes;
  options.request.algorithm = algorithm;
  return run_collective(star(), options);
}

// A ring takes 126 steps of a microsecond each, a tree 6 up and 6 down; the ring sends 126 / 64 of
// the buffer, a rank inside a tree half of it up and twice half down, and as a leaf half up again.
TEST(BenchCollective, TakesTreesForSmallBuffersAndRingsForLargeOnes) {
  const command::CollectiveReport small = report_of(1_KiB);
  EXPECT_EQ(small.algorithm, kTree);
  ASSERT_EQ(small.estimates.size(), 2U);
  EXPECT_EQ(small.estimates[0].algorithm, kTree);
  EXPECT_EQ(small.estimates[1].algorithm, kRing);
  EXPECT_EQ(small.estimates[1].time, 126_us + transfer_time(1_KiB * 126 / 64, 50_GBps));
  EXPECT_LT(small.estimates[0].time, 126_us / 9);
  EXPECT_EQ(report_of(512_MiB).algorithm, kRing);
}

// Estimates leave out how messages wait for one another; the order is that of the runs.
TEST(BenchCollective, WhatItTakesIsFasterThanTheOther) {
  for (const Bytes bytes : {1_KiB, 512_MiB}) {
    const command::CollectiveReport best = report_of(bytes);
    const program::CollectiveAlgorithm other = best.algorithm == kTree ? kRing : kTree;
    EXPECT_LT(best.simulated, report_of(bytes, other).simulated);
  }
}

TEST(BenchCollective, EstimatesNothingWhereAnAlgorithmIsNamed) {
  const command::CollectiveReport ring = report_of(1_KiB, kRing);
  EXPECT_EQ(ring.algorithm, kRing);
  EXPECT_TRUE(ring.estimates.empty());
}

}  // namespace
}  // namespace septet::test
