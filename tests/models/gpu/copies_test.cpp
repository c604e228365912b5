// Copies and memsets. A call of 4 us at 0 arrives at 5; copies between host and device then start
// after 3 us, memsets after 5, copies inside the device, which are kernels, after 2.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

constexpr auto kToDevice = program::CopyDirection::kHostToDevice;
constexpr auto kFromDevice = program::CopyDirection::kDeviceToHost;
constexpr auto kInside = program::CopyDirection::kDeviceToDevice;

system::SystemSpec copying_system() {
  system::SystemSpec system = round_system();
  system.gpu.front_end.copy_launch_latency = 3_us;
  system.gpu.front_end.memset_launch_latency = 5_us;
  gpu::CopySpec& copy = system.gpu.copy;
  copy.host_to_device_latency = 1_us;
  copy.device_to_host_latency = 2_us;
  copy.device_to_device_latency = 1_us;
  copy.memset_latency = 1_us;
  copy.host_to_device = 10_GBps;
  copy.device_to_host = 20_GBps;
  copy.device_to_device = 1000_GBps;
  copy.device_to_device_in_l2 = 2000_GBps;
  copy.memset = 1000_GBps;
  copy.memset_in_l2 = 4000_GBps;
  copy.staging_chunk = Bytes(10'000);
  system.gpu.kernel.memory.l2_capacity = Bytes(10'000'000);
  system.host.copy_cost = 4_us;
  system.host.device_copy_cost = 4_us;
  system.host.memset_cost = 4_us;
  system.host.pageable_copy_rate = 10_GBps;
  system.host.pageable_read_rate = 10_GBps;
  return system;
}

// Two streams and a kernel of 10 us.
struct Maker : program::ProgramBuilder {
  Maker() {
    kernel(program::spin_kernel(1, 32, 10_us));
    stream();
    stream();
    thread();
  }
};

TimedRun one_copy(program::CopyDirection direction, std::int64_t bytes, bool pinned = true,
                  const system::SystemSpec& system = copying_system()) {
  Maker maker;
  maker.copy(0, direction, Bytes(bytes), pinned);
  return TimedRun(maker.take(), system);
}

TEST(Copies, TakeTheirLatencyAndTheirBytesAtTheRateOfTheirDirection) {
  EXPECT_EQ(one_copy(kToDevice, 1'000'000).start(0), 8_us);
  EXPECT_EQ(one_copy(kToDevice, 1'000'000).end(0), 109_us);   // 8 + 1 + 100
  EXPECT_EQ(one_copy(kFromDevice, 1'000'000).end(0), 60_us);  // 8 + 2 + 50
}

TEST(Copies, OfOneDirectionShareAnEngine) {
  Maker maker;
  maker.copy(0, kToDevice, Bytes(1'000'000));  // until 109
  maker.copy(1, kToDevice, Bytes(1'000'000));  // could start at 12
  const TimedRun run(maker.take(), copying_system());
  EXPECT_EQ(run.start(1), 109_us);
  EXPECT_EQ(run.end(1), 210_us);
}

TEST(Copies, OfBothDirectionsOverlap) {
  Maker maker;
  maker.copy(0, kToDevice, Bytes(1'000'000));
  maker.copy(1, kFromDevice, Bytes(1'000'000));
  const TimedRun run(maker.take(), copying_system());
  EXPECT_EQ(run.start(1), 12_us);
  EXPECT_EQ(run.end(1), 64_us);
}

TEST(Copies, OverlapWithKernels) {
  Maker maker;
  maker.copy(0, kToDevice, Bytes(1'000'000));
  maker.launch(0, 1);
  const TimedRun run(maker.take(), copying_system());
  EXPECT_EQ(run.start(1), 11_us);
  EXPECT_EQ(run.end(0), 109_us);
}

TEST(Copies, KeepTheOrderOfTheirStream) {
  Maker maker;
  maker.launch(0, 0);  // 7 to 17
  maker.copy(0, kToDevice, Bytes(10'000));
  maker.copy(0, kFromDevice, Bytes(20'000));
  const TimedRun run(maker.take(), copying_system());
  EXPECT_EQ(run.start(0, 1), 18_us);
  EXPECT_EQ(run.end(0, 1), 20_us);  // 1 + 1
  EXPECT_EQ(run.start(0, 2), 21_us);
}

TEST(Copies, HopBetweenTheEnginesAndTheSmsInAStream) {
  system::SystemSpec system = copying_system();
  system.gpu.front_end.engine_hop = 2_us;
  Maker maker;
  maker.launch(0, 0);  // until 17
  maker.copy(0, kToDevice, Bytes(10'000));
  maker.copy(0, kToDevice, Bytes(10'000));
  maker.launch(0, 0);
  maker.copy(0, kInside, Bytes(1'000'000));
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(run.start(0, 1), 20_us) << "gap and hop";
  EXPECT_EQ(run.start(0, 2), 23_us) << "after 22 only the gap";
  EXPECT_EQ(run.start(0, 3), 28_us) << "after 25 gap and hop";
  EXPECT_EQ(run.start(0, 4), 39_us) << "after 38 only the gap: a kernel copies inside the device";
}

TEST(PageableCopies, LeaveOnlyTheLastChunkWhenTheCallEnds) {
  // The CPU stages 1 MB in 100 us: the call takes 104, arrives at 105. 10,000 B are left: 1 us.
  const TimedRun run = one_copy(kToDevice, 1'000'000, false);
  EXPECT_EQ(run.call_end(0, 0), 104_us);
  EXPECT_EQ(run.start(0), 108_us);
  EXPECT_EQ(run.end(0), 110_us);
}

TEST(PageableCopies, SmallerThanAChunkAreLeftWhole) {
  const TimedRun run = one_copy(kToDevice, 5'000, false);  // 4.5 us
  EXPECT_EQ(run.start(0), 8_us + 500_ns);
  EXPECT_EQ(run.end(0), 10_us);
}

TEST(PageableCopies, ToTheHostBlockTheCaller) {
  // 14 us of CPU time, arrives at 15, from 18 for 2 + 5; the host sees it at 26.
  const TimedRun run = one_copy(kFromDevice, 100'000, false);
  EXPECT_EQ(run.end(0), 25_us);
  EXPECT_EQ(run.call_end(0, 0), 27_us);
}

TEST(InlineCopies, TravelWithTheirCommand) {
  system::SystemSpec system = copying_system();
  system.host.inline_copy_max = Bytes(1000);
  system.host.inline_copy_cost = 2_us;
  system.host.inline_copy_rate = 1_GBps;
  const TimedRun run = one_copy(kToDevice, 1000, true, system);
  EXPECT_EQ(run.call_end(0, 0), 3_us);
  EXPECT_EQ(run.start(0), 7_us);
  EXPECT_EQ(run.end(0), 7_us);
  EXPECT_EQ(one_copy(kToDevice, 2000, true, system).end(0), 9_us + 200_ns);  // 8 + 1 + 0.2
}

TEST(DeviceCopies, TakeTheRateOfTheL2WhereSourceAndTargetFit) {
  EXPECT_EQ(one_copy(kInside, 4'000'000).start(0), 7_us);
  EXPECT_EQ(one_copy(kInside, 4'000'000).end(0), 10_us);           // 1 + 2
  EXPECT_EQ(one_copy(kInside, 5'000'000).end(0), 10_us + 500_ns);  // both are 10 MB
  EXPECT_EQ(one_copy(kInside, 6'000'000).end(0), 14_us);           // 1 + 6
}

TEST(HostCopies, GoAtTheRateOfTheCpu) {
  // 1 MB at 10 GB/s, whatever the GPU's rates.
  const TimedRun run = one_copy(program::CopyDirection::kHostToHost, 1'000'000);
  EXPECT_EQ(run.end(0) - run.start(0), 100_us);
}

TEST(DeviceCopies, NeedNoCopyEngine) {
  Maker maker;
  maker.copy(0, kInside, Bytes(100'000'000));
  maker.copy(1, kInside, Bytes(100'000'000));
  EXPECT_EQ(TimedRun(maker.take(), copying_system()).start(1), 11_us);
}

TimedRun one_memset(std::int64_t bytes, const system::SystemSpec& system = copying_system()) {
  Maker maker;
  maker.memset(0, Bytes(bytes));
  return TimedRun(maker.take(), system);
}

TEST(Memsets, TakeTheRateOfTheL2WhereTheyFit) {
  EXPECT_EQ(one_memset(8'000'000).start(0), 7_us);  // a kernel sets: its launch latency
  EXPECT_EQ(one_memset(8'000'000).end(0), 10_us);   // 1 + 2
  EXPECT_EQ(one_memset(20'000'000).end(0), 28_us);  // 1 + 20
}

TEST(Memsets, OfAFewBytesTravelWithTheirCommand) {
  system::SystemSpec system = copying_system();
  system.host.inline_memset_max = 256_B;
  system.host.inline_memset_cost = 1_us;
  EXPECT_EQ(one_memset(256, system).start(0), 7_us);  // 1 + 1 + 5
  EXPECT_EQ(one_memset(256, system).end(0), 7_us);
}

TEST(Copies, KeepARecordedDuration) {
  Maker maker;
  maker.copy(0, kToDevice, Bytes(1'000'000));
  program::Program program = maker.take();
  time_in(program.threads[0].calls[0]) = 42_us;
  EXPECT_EQ(TimedRun(program, copying_system()).end(0), 50_us);
}

}  // namespace
}  // namespace septet::test
