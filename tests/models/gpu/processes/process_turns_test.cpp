// A slice of 100 us; a change takes 10 us and 2 us for each resident block.
#include "models/gpu/processes/process_turns.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using gpu::ProcessTurns;
using Arrival = gpu::ProcessTurns::Arrival;

gpu::TimeSliceSpec slices() { return {100_us, 10_us, 2_us}; }

Instant at(Duration time) { return Instant() + time; }

struct Turns : gpu::ProcessTurns {
  explicit Turns(std::size_t processes, bool mps = false)
      : gpu::ProcessTurns(spec, processes, mps) {}

  const gpu::TimeSliceSpec spec = slices();
};

TEST(ProcessTurns, OneProcessAndThoseWithMpsHaveTheGpuAllTheTime) {
  Turns alone(1);
  EXPECT_FALSE(alone.sliced());
  EXPECT_TRUE(alone.has_gpu(0));
  Turns mps(2, true);
  EXPECT_FALSE(mps.sliced());
  EXPECT_TRUE(mps.has_gpu(0));
  EXPECT_TRUE(mps.has_gpu(1));
  EXPECT_EQ(mps.arrived(0), Arrival::kNothing);
  EXPECT_EQ(mps.arrived(1), Arrival::kNothing);
  EXPECT_EQ(mps.busy(), 2U);
  EXPECT_FALSE(mps.completed(0));
  EXPECT_EQ(mps.busy(), 1U);
}

TEST(ProcessTurns, TheFirstThatHasWorkGetsTheGpuAndOthersStartASlice) {
  Turns turns(3);
  EXPECT_FALSE(turns.has_gpu(0));
  EXPECT_EQ(turns.arrived(1), Arrival::kGetsGpu);
  turns.switch_in(1, at(5_us));
  EXPECT_TRUE(turns.has_gpu(1));
  EXPECT_EQ(turns.arrived(1), Arrival::kNothing);
  EXPECT_EQ(turns.arrived(2), Arrival::kStartsSlice);
}

TEST(ProcessTurns, ASliceEndsAfterTheBeginOfTheTurnButNotBeforeOthersCame) {
  Turns early(2);
  early.switch_in(0, at(5_us));
  EXPECT_EQ(early.start_slice(at(20_us)), at(105_us));
  EXPECT_EQ(early.start_slice(at(21_us)), std::nullopt) << "that is known";
  Turns late(2);
  late.switch_in(0, at(5_us));
  EXPECT_EQ(late.start_slice(at(300_us)), at(300_us));
}

TEST(ProcessTurns, AChangeTakesLongerWithResidentBlocks) {
  Turns turns(2);
  turns.switch_in(0, at(0_us));
  EXPECT_EQ(turns.switch_out(3, at(100_us)), 16_us);  // 10 + 3 x 2
  EXPECT_EQ(turns.active(), kNone);
  EXPECT_EQ(turns.arrived(0), Arrival::kStartsSlice) << "the change is under way";
}

TEST(ProcessTurns, ASliceOfATurnThatIsOverMeansNothing) {
  Turns turns(2);
  turns.switch_in(0, at(0_us));
  const std::uint64_t turn = turns.turn();
  EXPECT_TRUE(turns.in_turn(turn));
  turns.switch_out(0, at(50_us));
  EXPECT_FALSE(turns.in_turn(turn));
  EXPECT_EQ(turns.start_slice(at(60_us)), std::nullopt) << "nobody has the GPU";
}

TEST(ProcessTurns, GoRoundAmongThoseWithWork) {
  Turns turns(4);
  for (const std::uint32_t process : {0U, 1U, 3U}) turns.arrived(process);
  EXPECT_EQ(turns.switched_out(0), 1U);
  EXPECT_EQ(turns.switched_out(1), 3U);
  EXPECT_EQ(turns.switched_out(3), 0U);
  turns.completed(0);
  EXPECT_EQ(turns.switched_out(3), 1U);
}

TEST(ProcessTurns, AProcessWithoutWorkGivesTheGpuToOthersThatHaveSome) {
  Turns turns(2);
  turns.arrived(0);
  turns.switch_in(0, at(0_us));
  EXPECT_FALSE(turns.completed(0)) << "nobody else has any";
  turns.arrived(0);
  turns.arrived(1);
  EXPECT_TRUE(turns.others_wait(0));
  EXPECT_TRUE(turns.completed(0));
  turns.switch_out(0, at(1_us));
  turns.switch_in(1, at(11_us));
  EXPECT_FALSE(turns.others_wait(1));
}

TEST(ProcessTurns, WhatHappensToAProcessThatIsOutWaitsForItsTurn) {
  Turns turns(2);
  turns.switch_in(0, at(0_us));
  engine::Event event;
  event.a = 7;
  EXPECT_FALSE(turns.defer(0, event));
  EXPECT_TRUE(turns.defer(1, event));
  EXPECT_EQ(turns.switch_in(0, at(0_us)).deferred.size(), 0U);
  const gpu::ProcessTurns::Return back = turns.switch_in(1, at(50_us));
  ASSERT_EQ(back.deferred.size(), 1U);
  EXPECT_EQ(back.deferred[0].a, 7U);
  EXPECT_EQ(turns.switch_in(1, at(50_us)).deferred.size(), 0U) << "each once";
}

TEST(ProcessTurns, AProcessThatIsBackKnowsHowLongItWasAway) {
  Turns turns(2);
  EXPECT_EQ(turns.switch_in(0, at(3_us)).away, std::nullopt) << "it never had the GPU";
  turns.switch_out(0, at(100_us));
  EXPECT_EQ(turns.switch_in(0, at(250_us)).away, 150_us);
}

TEST(ProcessTurns, StopOnceNothingHappenedInAMillionOfThem) {
  Turns turns(2);
  for (int turn = 0; turn < 999'999; ++turn) {
    turns.switch_in(0, at(0_us));
    turns.switch_out(0, at(0_us));
  }
  turns.switch_in(0, at(0_us));
  EXPECT_TRUE(turns.start_slice(at(0_us)));
  turns.switch_out(0, at(0_us));
  turns.switch_in(0, at(0_us));
  EXPECT_EQ(turns.start_slice(at(0_us)), std::nullopt);
  turns.progressed();
  EXPECT_TRUE(turns.start_slice(at(0_us)));
}

}  // namespace
}  // namespace septet::test
