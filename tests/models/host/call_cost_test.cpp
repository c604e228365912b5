#include "models/host/call_cost.hpp"

#include <gtest/gtest.h>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Every kind of call has a cost of its own, so that a mix-up shows.
host::HostSpec distinct_costs() {
  host::HostSpec spec;
  spec.launch_cost = 1_us;
  spec.programmatic_launch_cost = 2_us;
  spec.graph_launch_cost = 3_us;
  spec.graph_nodes_free = 10;
  spec.graph_launch_cost_per_node = 100_ns;
  spec.graph_instantiate_cost = 4_us;
  spec.graph_instantiate_cost_per_node = 200_ns;
  spec.graph_upload_cost = 5_us;
  spec.graph_upload_cost_per_node = 300_ns;
  spec.copy_cost = 6_us;
  spec.inline_copy_cost = 7_us;
  spec.device_copy_cost = 8_us;
  spec.memset_cost = 9_us;
  spec.inline_memset_cost = 10_us;
  spec.inline_memset_max = 256_B;
  spec.inline_copy_max = Bytes(1000);
  spec.inline_copy_rate = 1_GBps;
  spec.pageable_copy_rate = 4_GBps;
  spec.pageable_cached_rate = 10_GBps;
  spec.pageable_cached_max = Bytes(100'000);
  spec.pageable_read_rate = 2_GBps;
  spec.record_cost = 11_us;
  spec.wait_cost = 12_us;
  spec.queue_access_cost = 13_us;
  spec.synchronize_cost = 14_us;
  spec.api_cost = 15_us;
  spec.collective_cost = 16_us;
  return spec;
}

Duration cost_of(program::CallKind kind, std::uint64_t nodes = 0) {
  return call_cost(distinct_costs(), call_of(kind), nodes);
}

Duration copy_cost(program::CopyDirection direction, std::int64_t bytes, bool pinned = true) {
  const program::Copy copy{.direction = direction, .pinned = pinned, .bytes = Bytes(bytes)};
  return call_cost(distinct_costs(), {.what = copy}, 0);
}

Duration memset_cost(Bytes bytes) {
  return call_cost(distinct_costs(), {.what = program::Memset{bytes}}, 0);
}

TEST(CallCost, ACallCostsWhatItsKindCosts) {
  EXPECT_EQ(cost_of(program::CallKind::kLaunchKernel), 1_us);
  EXPECT_EQ(cost_of(program::CallKind::kRecordEvent), 11_us);
  EXPECT_EQ(cost_of(program::CallKind::kWaitEvent), 12_us);
  EXPECT_EQ(cost_of(program::CallKind::kPushItem), 13_us);
  EXPECT_EQ(cost_of(program::CallKind::kAwaitItems), 13_us);
  EXPECT_EQ(cost_of(program::CallKind::kSynchronizeEvent), 14_us);
  EXPECT_EQ(cost_of(program::CallKind::kSynchronizeStream), 14_us);
  EXPECT_EQ(cost_of(program::CallKind::kSynchronizeDevice), 14_us);
  EXPECT_EQ(cost_of(program::CallKind::kApi), 15_us);
  EXPECT_EQ(cost_of(program::CallKind::kCollective), 16_us);
}

TEST(CallCost, HandOffsMarkersAndOwnWorkCostNothingInTheDriver) {
  for (const program::CallKind kind : {program::CallKind::kHostWork, program::CallKind::kPost,
                                       program::CallKind::kAwait, program::CallKind::kMarker}) {
    EXPECT_EQ(cost_of(kind), 0_us) << name_of(kind);
  }
}

TEST(CallCost, WhatTheProgramSaysComesFirst) {
  for (const program::CallKind kind : values_of<program::CallKind>()) {
    program::Call call = call_of(kind);
    call.cost = 77_us;
    EXPECT_EQ(call_cost(distinct_costs(), call, 50), 77_us) << name_of(kind);
  }
}

TEST(CallCost, AProgrammaticLaunchHasACostOfItsOwn) {
  const program::Call call{.what = program::LaunchKernel{.programmatic = true}};
  EXPECT_EQ(call_cost(distinct_costs(), call, 0), 2_us);
}

TEST(CallCost, AGraphLaunchPaysForNodesBeyondTheFreeOnes) {
  EXPECT_EQ(cost_of(program::CallKind::kLaunchGraph, 1), 3_us);
  EXPECT_EQ(cost_of(program::CallKind::kLaunchGraph, 10), 3_us);
  EXPECT_EQ(cost_of(program::CallKind::kLaunchGraph, 11), 3_us + 100_ns);
  EXPECT_EQ(cost_of(program::CallKind::kLaunchGraph, 110), 3_us + 10_us);  // 100 x 0.1
}

TEST(CallCost, InstantiationAndUploadPayForEveryNode) {
  EXPECT_EQ(cost_of(program::CallKind::kInstantiateGraph, 5), 4_us + 1_us);      // 5 x 0.2
  EXPECT_EQ(cost_of(program::CallKind::kUploadGraph, 5), 5_us + 1_us + 500_ns);  // 5 x 0.3
}

TEST(CallCost, SmallHostDataAreWrittenIntoTheCommand) {
  // 1,000 bytes at 1 GB/s: 1 us. Pinned or not makes no difference.
  EXPECT_EQ(copy_cost(program::CopyDirection::kHostToDevice, 1000), 8_us);
  EXPECT_EQ(copy_cost(program::CopyDirection::kHostToDevice, 1000, false), 8_us);
  EXPECT_EQ(copy_cost(program::CopyDirection::kHostToDevice, 1001), 6_us);
  // From the device nothing is written into a command.
  EXPECT_EQ(copy_cost(program::CopyDirection::kDeviceToHost, 1000), 6_us);
}

TEST(CallCost, PinnedCopiesCostTheSameForAnySize) {
  EXPECT_EQ(copy_cost(program::CopyDirection::kHostToDevice, 1'000'000'000), 6_us);
  EXPECT_EQ(copy_cost(program::CopyDirection::kDeviceToHost, 1'000'000'000), 6_us);
  EXPECT_EQ(copy_cost(program::CopyDirection::kDeviceToDevice, 1'000'000'000), 8_us);
}

TEST(CallCost, PageableMemoryIsStagedByTheCpu) {
  // Up to 100,000 bytes from its caches at 10 GB/s, more at 4 GB/s.
  EXPECT_EQ(copy_cost(program::CopyDirection::kHostToDevice, 100'000, false), 6_us + 10_us);
  EXPECT_EQ(copy_cost(program::CopyDirection::kHostToDevice, 200'000, false), 6_us + 50_us);
  // And read back at 2 GB/s.
  EXPECT_EQ(copy_cost(program::CopyDirection::kDeviceToHost, 100'000, false), 6_us + 50_us);
}

TEST(CallCost, SmallMemsetsNeedNoKernel) {
  EXPECT_EQ(memset_cost(256_B), 10_us);
  EXPECT_EQ(memset_cost(257_B), 9_us);
}

TEST(CallCost, KernelsCarryOutLargeMemsetsAndCopiesInsideTheDevice) {
  const host::HostSpec spec = distinct_costs();
  EXPECT_FALSE(copied_by_kernel(spec, {.what = program::Memset{256_B}}));
  EXPECT_TRUE(copied_by_kernel(spec, {.what = program::Memset{257_B}}));
  EXPECT_TRUE(
      copied_by_kernel(spec, {.what = program::Copy{program::CopyDirection::kDeviceToDevice}}));
  EXPECT_FALSE(
      copied_by_kernel(spec, {.what = program::Copy{program::CopyDirection::kHostToDevice}}));
  EXPECT_FALSE(copied_by_kernel(spec, {.what = program::LaunchKernel{}}));
}

}  // namespace
}  // namespace septet::test
