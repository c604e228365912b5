// Copies alone: to the device 10 GB/s after 1 us, from it 20 GB/s after 2 us, inside it 1 TB/s
// after 4 us and 2 TB/s where both sides fit into 10 MB of L2; memsets 1 TB/s after 3 us, 4 TB/s in
// L2; in host memory 5 GB/s.
#include "models/gpu/execution/copy_engines.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using gpu::CopyEngines;
using gpu::Work;
using gpu::WorkKind;

gpu::GpuSpec copying_gpu() {
  gpu::GpuSpec gpu;
  gpu.kernel.memory.l2_capacity = Bytes(10'000'000);
  gpu::CopySpec& spec = gpu.copy;
  spec.host_to_device_latency = 1_us;
  spec.device_to_host_latency = 2_us;
  spec.memset_latency = 3_us;
  spec.device_to_device_latency = 4_us;
  spec.staging_chunk = Bytes(10'000);
  spec.host_to_device = 10_GBps;
  spec.device_to_host = 20_GBps;
  spec.device_to_device = 1000_GBps;
  spec.device_to_device_in_l2 = 2000_GBps;
  spec.memset = 1000_GBps;
  spec.memset_in_l2 = 4000_GBps;
  return gpu;
}

gpu::Work copy_of(program::CopyDirection direction, std::int64_t bytes,
                  WorkKind kind = WorkKind::kCopy) {
  gpu::Work work;
  work.kind = kind;
  work.direction = direction;
  work.bytes = Bytes(bytes);
  return work;
}

Duration time_of(const gpu::Work& work) { return gpu::time_alone(copying_gpu(), 5_GBps, work); }

constexpr auto kToDevice = program::CopyDirection::kHostToDevice;
constexpr auto kFromDevice = program::CopyDirection::kDeviceToHost;
constexpr auto kInside = program::CopyDirection::kDeviceToDevice;

TEST(CopyTime, IsALatencyAndTheBytesAtTheRateOfTheDirection) {
  EXPECT_EQ(time_of(copy_of(kToDevice, 1'000'000)), 101_us);
  EXPECT_EQ(time_of(copy_of(kFromDevice, 1'000'000)), 52_us);
}

TEST(CopyTime, InsideTheDeviceIsShorterWhereBothSidesFitIntoTheL2Cache) {
  EXPECT_EQ(time_of(copy_of(kInside, 5'000'000)), 6'500_ns);  // 4 + 2.5
  EXPECT_EQ(time_of(copy_of(kInside, 6'000'000)), 10_us);     // 4 + 6
}

TEST(CopyTime, OfAMemsetIsShorterWhereItFitsIntoTheL2Cache) {
  EXPECT_EQ(time_of(copy_of(kToDevice, 8'000'000, WorkKind::kMemset)), 5_us);    // 3 + 2
  EXPECT_EQ(time_of(copy_of(kToDevice, 12'000'000, WorkKind::kMemset)), 15_us);  // 3 + 12
}

TEST(CopyTime, OfPageableMemoryIsThatOfTheChunkThatIsNotYetStaged) {
  gpu::Work pageable = copy_of(kToDevice, 1'000'000);
  pageable.pinned = false;
  EXPECT_EQ(time_of(pageable), 2_us);  // 1 + 1
  gpu::Work back = copy_of(kFromDevice, 1'000'000);
  back.pinned = false;
  EXPECT_EQ(time_of(back), 52_us) << "nothing is staged on the way back";
}

TEST(CopyTime, IsNothingForWhatCameWithItsCommand) {
  gpu::Work inlined = copy_of(kToDevice, 1'000'000);
  inlined.inlined = true;
  EXPECT_EQ(time_of(inlined), 0_us);
}

TEST(CopyTime, InHostMemoryIsTheCpus) {
  EXPECT_EQ(time_of(copy_of(program::CopyDirection::kHostToHost, 1'000'000)), 200_us);
}

TEST(CopyEngines, DoOneCopyOfADirectionAfterTheOther) {
  const Instant now = Instant() + 7_us;
  gpu::CopyEngines engines;
  EXPECT_EQ(engines.start(copy_of(kToDevice, 1), 10_us, now), now);
  EXPECT_EQ(engines.start(copy_of(kToDevice, 1), 10_us, now), now + 10_us);
  EXPECT_EQ(engines.start(copy_of(kFromDevice, 1), 10_us, now), now) << "the other engine";
  EXPECT_EQ(engines.start(copy_of(kToDevice, 1), 10_us, now + 30_us), now + 30_us);
}

TEST(CopyEngines, AreNotNeededInsideTheDeviceOrTheHost) {
  const Instant now = Instant() + 7_us;
  gpu::CopyEngines engines;
  engines.start(copy_of(kToDevice, 1), 10_us, now);
  EXPECT_EQ(engines.start(copy_of(kInside, 1), 10_us, now), now);
  EXPECT_EQ(engines.start(copy_of(kInside, 1), 10_us, now), now);
  EXPECT_EQ(engines.start(copy_of(kToDevice, 1, WorkKind::kMemset), 10_us, now), now);
  EXPECT_EQ(engines.start(copy_of(program::CopyDirection::kHostToHost, 1), 10_us, now), now);
}

}  // namespace
}  // namespace septet::test
