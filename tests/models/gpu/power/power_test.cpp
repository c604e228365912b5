#include "models/gpu/power/power.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

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
  // s = 0.5, v = 1 - 0.4 x 0.5 = 0.8: 50 + 50 x 0.5 x 0.64 + 100 + 0.64 x (50 + 150) = 294.
  PowerSpec spec = round_spec();
  spec.voltage_slope = 0.4;
  EXPECT_DOUBLE_EQ(board_power(spec, {100, 50, 150}, 0.5).count(), 294);
}

constexpr Frequency kFull = 1000_MHz;

// A load of so many watts at full clock, whose rate follows the clock.
auto follows_the_clock(double watts) {
  return [watts](Frequency clock) { return LoadPower{0, 0, watts * ratio(clock, kFull)}; };
}

TEST(SustainedClock, IsTheHighestStepWithinTheLimit) {
  // 50 + 250 s <= 200 at s = 0.6; with one watt more of work at the step below.
  EXPECT_EQ(sustained_clock(round_spec(), kFull, follows_the_clock(200)), 600_MHz);
  EXPECT_EQ(sustained_clock(round_spec(), kFull, follows_the_clock(201)), 590_MHz);
  EXPECT_EQ(sustained_clock(round_spec(), kFull, follows_the_clock(100)), kFull);
}

TEST(SustainedClock, FallsFurtherWhereTheRatesStay) {
  // 50 + 50 s + 125 <= 200 at s = 0.5, where a load that follows the clock ends at 0.85.
  const auto bound_by_memory = [](Frequency) { return LoadPower{125, 0, 0}; };
  EXPECT_EQ(sustained_clock(round_spec(), kFull, bound_by_memory), 500_MHz);
}

TEST(SustainedClock, RefusesALoadThatNoClockKeepsWithinTheLimit) {
  PowerSpec spec = round_spec();
  spec.idle_clock = 300_MHz;
  // 50 + 50 x 0.3 + 136 = 201 W.
  const auto memory = [](double watts) {
    return [watts](Frequency) { return LoadPower{watts, 0, 0}; };
  };
  EXPECT_EQ(sustained_clock(spec, kFull, memory(135)), 300_MHz);
  EXPECT_THROW(sustained_clock(spec, kFull, memory(136)), ModelError);
}

TEST(SettledShare, IsAnExponentialOfTheTime) {
  const PowerSpec spec = round_spec();
  EXPECT_DOUBLE_EQ(settled_share(spec, Duration(0)), 0);
  EXPECT_DOUBLE_EQ(settled_share(spec, 10_ms), 1 - std::exp(-1));
}

TEST(AddActivity, CountsOperationsByTheirEnergy) {
  Activity sum;
  add({.dram_bytes = 10, .flops = 8, .type = program::DataType::kFp8, .switching = 0.5}, 2, sum);
  EXPECT_DOUBLE_EQ(sum.dram_bytes, 20);
  EXPECT_DOUBLE_EQ(sum.flops, 8);
  EXPECT_EQ(sum.type, program::DataType::kFp8);
  add({.flops = 4, .type = program::DataType::kBf16}, 1, sum);
  EXPECT_DOUBLE_EQ(sum.flops, 12);
  EXPECT_EQ(sum.type, program::DataType::kFp8) << "that of most operations";
}

TEST(FlopEnergy, IsThatOfTheType) {
  EXPECT_DOUBLE_EQ(flop_energy(round_spec(), program::DataType::kFp16), 1e-12);
  EXPECT_DOUBLE_EQ(flop_energy(round_spec(), program::DataType::kFp32), 8e-12);
}

}  // namespace
}  // namespace septet::gpu
