#include "models/gpu/kernel/memory.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/models/gpu/kernel/kernel_gpu.hpp"

namespace septet::testing {
namespace {

const gpu::MemorySpec& memory() {
  static const gpu::MemorySpec kSpec = round_gpu().kernel.memory;
  return kSpec;
}

program::MemoryBatch one_load() {
  program::MemoryBatch batch;  // 4 sectors: 128 bytes, 2 cycles through a port of 64 bytes
  return batch;
}

TEST(BatchLatency, OfOneLoadIsItsLevelAndItsTransfer) {
  program::MemoryBatch batch = one_load();
  EXPECT_DOUBLE_EQ(batch_latency(memory(), batch), 500 + 2);
  batch.l2_hit = 1;
  EXPECT_DOUBLE_EQ(batch_latency(memory(), batch), 200 + 2);
  batch.l1_hit = 1;
  EXPECT_DOUBLE_EQ(batch_latency(memory(), batch), 30 + 2);
  batch.write = true;
  EXPECT_DOUBLE_EQ(batch_latency(memory(), batch), 0);
}

TEST(BatchLatency, HitsOnlyWhenAllLoadsHit) {
  program::MemoryBatch batch = one_load();
  batch.requests = 2;
  batch.l2_hit = 0.5;  // both hit: 0.25
  EXPECT_DOUBLE_EQ(batch_latency(memory(), batch), 0.25 * 200 + 0.75 * 500 + 4);
}

TEST(BatchLatency, GrowsByTheSlowestOfTheLoads) {
  gpu::MemorySpec spec = memory();
  spec.dram_spread_cycles = 100;
  program::MemoryBatch batch = one_load();
  batch.requests = 2;  // 0.5642 standard deviations
  EXPECT_NEAR(batch_latency(spec, batch), 500 + 56.42 + 4, 1e-6);
}

TEST(Tlb, MissesGrowWithTheFootprint) {
  EXPECT_DOUBLE_EQ(tlb_cycles(memory(), 1'000'000), 0);
  EXPECT_DOUBLE_EQ(tlb_cycles(memory(), 4'000'000), 75);  // three of four pages
}

TEST(CyclicHit, IsHalfAtTheCapacity) {
  EXPECT_DOUBLE_EQ(gpu::cyclic_hit(Bytes(1000), Bytes(10), 1000), 0.5);
  EXPECT_NEAR(gpu::cyclic_hit(Bytes(1000), Bytes(10), 900), 1.0, 1e-9);
  EXPECT_NEAR(gpu::cyclic_hit(Bytes(1000), Bytes(10), 1100), 0.0, 1e-9);
}

program::Segment reading(double requests) {
  program::Segment segment;
  program::MemoryBatch batch = one_load();
  batch.requests = requests;
  segment.batches = {batch};
  return segment;
}

TEST(MemoryLoad, CountsTheBytesOfAllWarps) {
  // 80 warps of 128 bytes: 10,240 bytes at 100 a cycle from DRAM, 1000 from L2; 8 warps an SM.
  const gpu::MemoryLoad load = memory_load(memory(), Frequency(1e9), reading(1), 0, 8, 80);
  EXPECT_DOUBLE_EQ(load.dram, 102.4);
  EXPECT_DOUBLE_EQ(load.l2, 10.24);
  EXPECT_DOUBLE_EQ(load.port, 8);
  EXPECT_DOUBLE_EQ(load.l1, 8);
}

TEST(MemoryLoad, LoneSectorsCostMoreOfL2) {
  gpu::MemorySpec spec = memory();
  spec.l2_lone_sector_bytes = 64;
  program::Segment segment = reading(1);
  segment.batches[0].sectors = 32;
  segment.batches[0].lines = 32;
  const gpu::MemoryLoad load = memory_load(spec, Frequency(1e9), segment, 0, 1, 1);
  EXPECT_DOUBLE_EQ(load.l2, 32 * 64 / 1000.0);
}

TEST(Period, OfAnIdleMemoryIsItsLatency) {
  const gpu::MemoryLoad load = memory_load(memory(), Frequency(1e9), reading(1), 50, 1, 1);
  // One warp: 1.28 of 552 cycles of DRAM; queues are set to nothing.
  EXPECT_NEAR(period_alone(memory(), load), 50 + 502, 1e-3);
}

TEST(Period, OfASaturatedMemoryIsItsBandwidth) {
  gpu::MemorySpec spec = memory();
  spec.dram_queue_cycles = 10;
  const gpu::MemoryLoad load = memory_load(spec, Frequency(1e9), reading(8), 0, 64, 640);
  // 640 warps x 8 x 128 bytes at 100 a cycle: 6553.6 cycles, over the latency of 516.
  const double period = period_alone(spec, load);
  EXPECT_GT(period, load.dram);
  EXPECT_LT(period, load.dram * 1.01);
}

TEST(Period, GrowsWithEveryDemand) {
  gpu::MemorySpec spec = memory();
  spec.dram_queue_cycles = 50;
  double before = 0;
  for (const double requests : {1.0, 2.0, 4.0, 8.0}) {
    const double period =
        period_alone(spec, memory_load(spec, Frequency(1e9), reading(requests), 10, 16, 160));
    EXPECT_GT(period, before);
    before = period;
  }
}

TEST(MemoryLoad, OfABatchThatHalfOfTheWarpsReadIsHalfOfIt) {
  program::Segment half = reading(2);
  half.batches[0].times = 0.5;
  const gpu::MemoryLoad all = memory_load(memory(), Frequency(1e9), reading(2), 0, 8, 80);
  const gpu::MemoryLoad load = memory_load(memory(), Frequency(1e9), half, 0, 8, 80);
  EXPECT_DOUBLE_EQ(load.dram, all.dram / 2);
  EXPECT_DOUBLE_EQ(load.l2, all.l2 / 2);
  EXPECT_DOUBLE_EQ(load.port, all.port / 2);
  EXPECT_DOUBLE_EQ(load.latency, all.latency / 2);
  EXPECT_DOUBLE_EQ(gpu::dram_bytes(half, 10), gpu::dram_bytes(reading(2), 10) / 2);
}

TEST(PeriodWith, SolvesItsEquation) {
  // At power 1 and one queue: T = 100 + 50 (80 / T) / (1 - 80 / T), (T - 100)(T - 80) = 4000.
  const gpu::Queueing one[] = {{80, 50}};
  EXPECT_NEAR(period_with(100, one, 1), 90 + std::sqrt(100.0 + 4000.0), 1e-9);
  // Several queues and another power: the equation itself.
  const gpu::Queueing many[] = {{80, 50}, {99, 3}, {20, 500}, {0, 7}};
  for (const double guess : {0.0, 101.0, 1e6}) {
    const double period = period_with(100, many, 0.75, guess);
    double needed = 100;
    for (const gpu::Queueing& q : many) needed += q.each * gpu::queue_length(q.use / period, 0.75);
    EXPECT_NEAR(period, needed, 1e-9 * needed) << guess;
  }
}

TEST(PeriodWith, IsNeverShorterThanAResourceThatQueuesNothing) {
  const gpu::Queueing full[] = {{300, 0}};
  EXPECT_DOUBLE_EQ(period_with(100, full, 1), 300);
}

TEST(Queue, LengthAndUseAreInverse) {
  EXPECT_DOUBLE_EQ(gpu::queue_length(0.5, 1), 1);
  EXPECT_DOUBLE_EQ(gpu::use_of_queue(0, 0.75), 0);
  for (const double power : {0.5, 0.75, 1.0, 2.0}) {
    for (const double use : {1e-6, 0.1, 0.5, 0.9, 0.9999}) {
      EXPECT_NEAR(gpu::use_of_queue(gpu::queue_length(use, power), power), use, 1e-10) << power;
    }
  }
}

}  // namespace
}  // namespace septet::testing
