#include "models/gpu/power/power.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace septet::gpu {
namespace {

PowerSpec round_spec() {
  PowerSpec spec;
  spec.limit = Power(200);
  spec.idle = Power(50);
  spec.clocks = Power(50);
  spec.clock_step = 10_MHz;
  spec.settle_time = 10_ms;
  spec.dram_pj_per_byte = 100;
  spec.l2_pj_per_byte = 50;
  spec.bf16_pj_per_flop = 1;
  spec.fp32_pj_per_flop = 8;
  spec.instruction_pj = 20;
  return spec;
}

TEST(LoadPower, IsEnergyOverTime) {
  // In 1 us: 1 MB x 100 pJ = 100 uJ of DRAM, 2 MB x 50 pJ of L2, (5e7 + 5 x 1e7) pJ of arithmetic.
  Activity call;
  call.dram_bytes = 1e6;
  call.l2_bytes = 2e6;
  call.flops = 1e8;
  call.switching = 0.5;
  call.instructions = 2.5e6;
  const LoadPower load = load_power(round_spec(), call, 1_us);
  EXPECT_DOUBLE_EQ(load.dram, 100);
  EXPECT_DOUBLE_EQ(load.l2, 100);
  EXPECT_DOUBLE_EQ(load.core, 100);
}

TEST(BoardPower, OfNothingIsIdleAndClocks) {
  EXPECT_DOUBLE_EQ(board_power(round_spec(), {}, 1.0).count(), 100);
}

TEST(BoardPower, FallsWithTheClockAndTheSquareOfTheVoltage) {
  // s = 0.5, v = 1 - 0.4 x 0.5 = 0.8: 50 + 50 x 0.5 x 0.64 + 0.5 (100 + 0.64 x (50 + 150)) = 180.
  PowerSpec spec = round_spec();
  spec.voltage_slope = 0.4;
  EXPECT_DOUBLE_EQ(board_power(spec, {100, 50, 150, false}, 0.5).count(), 180);
}

TEST(BoardPower, OfALoadThatMemoryBoundsKeepsItsRates) {
  // Without a slope of the voltage: 50 + 25 + 300, where the load by SMs would draw 150 of it.
  EXPECT_DOUBLE_EQ(board_power(round_spec(), {100, 50, 150, true}, 0.5).count(), 375);
}

TEST(SustainedClock, IsTheHighestStepWithinTheLimit) {
  // 50 + 250 s <= 200 at s = 0.6; with one watt more of work at the step below.
  const Frequency full = 1000_MHz;
  EXPECT_EQ(sustained_clock(round_spec(), full, {0, 0, 200, false}), 600_MHz);
  EXPECT_EQ(sustained_clock(round_spec(), full, {0, 0, 201, false}), 590_MHz);
  EXPECT_EQ(sustained_clock(round_spec(), full, {0, 0, 100, false}), full);
}

TEST(ClockUnderLoad, FallsByTheShareThatHasSettled) {
  const PowerSpec spec = round_spec();
  EXPECT_DOUBLE_EQ(settled_share(spec, Duration(0)), 0);
  EXPECT_DOUBLE_EQ(settled_share(spec, 10_ms), 1 - std::exp(-1));
  // A quarter of the way from 1000 to 600.
  EXPECT_EQ(clock_under(spec, 1000_MHz, {0, 0, 200, false}, 0.25), 900_MHz);
}

TEST(FlopEnergy, IsThatOfTheType) {
  EXPECT_DOUBLE_EQ(flop_energy(round_spec(), program::DataType::kFp16), 1e-12);
  EXPECT_DOUBLE_EQ(flop_energy(round_spec(), program::DataType::kFp32), 8e-12);
}

}  // namespace
}  // namespace septet::gpu
