#include "models/gpu/kernel/issue.hpp"

#include <gtest/gtest.h>

#include "tests/core/base/round_trip.hpp"
#include "tests/models/gpu/kernel/kernel_gpu.hpp"

namespace septet::testing {
namespace {

program::Segment fma_body(double instructions) {
  program::Segment segment;
  segment[program::Pipe::kFma] = instructions;
  return segment;
}

TEST(Bottleneck, TextsComeBack) { expect_round_trip<gpu::Bottleneck>(); }

TEST(Issue, WarpsOfASchedulerTakeTurns) {
  // 8 warps on 4 schedulers: 2 each, 100 instructions each.
  const gpu::Busy busy = busy_cycles(round_gpu().kernel, fma_body(100), 8);
  EXPECT_DOUBLE_EQ(busy.cycles, 200);
  EXPECT_EQ(busy.what, gpu::Bottleneck::kIssue);
}

TEST(Issue, OneWarpIsNotSpreadOverSchedulers) {
  EXPECT_DOUBLE_EQ(busy_cycles(round_gpu().kernel, fma_body(100), 1).cycles, 100);
}

TEST(Issue, TheSlowestPipeLimits) {
  program::Segment segment = fma_body(100);
  segment[program::Pipe::kFp64] =
      80;  // 2 cycles each: 160, more than the 180 / 1 issue slots of ...
  segment[program::Pipe::kFma] = 10;  // ... 90 instructions
  const gpu::Busy busy = busy_cycles(round_gpu().kernel, segment, 4);
  EXPECT_DOUBLE_EQ(busy.cycles, 160);
  EXPECT_EQ(busy.what, gpu::Bottleneck::kPipe);
  EXPECT_EQ(busy.pipe, program::Pipe::kFp64);
}

TEST(Issue, IntegerMultiplyAddsTakeTheFmaPipe) {
  gpu::GpuSpec gpu = round_gpu();
  gpu.kernel.pipes[static_cast<std::size_t>(program::Pipe::kImad)].interval = 2;
  program::Segment segment = fma_body(50);
  segment[program::Pipe::kImad] = 50;  // 50 x 1 + 50 x 2
  EXPECT_DOUBLE_EQ(busy_cycles(gpu.kernel, segment, 4).cycles, 150);
}

TEST(Issue, RegisterBankConflictsHoldThePipe) {
  program::Segment segment = fma_body(100);
  segment.bank_conflicts[static_cast<std::size_t>(program::Pipe::kFma)] = 30;
  EXPECT_DOUBLE_EQ(busy_cycles(round_gpu().kernel, segment, 4).cycles, 130);
}

TEST(Issue, ConflictsInSharedMemoryBelongToTheWholeSm) {
  program::Segment segment;
  segment[program::Pipe::kLsu] = 10;
  segment.shared_wavefronts = 30;  // of 8 warps: 240 wavefronts, one a cycle
  const gpu::Busy busy = busy_cycles(round_gpu().kernel, segment, 8);
  EXPECT_DOUBLE_EQ(busy.cycles, 240);
  EXPECT_EQ(busy.what, gpu::Bottleneck::kSharedMemory);
}

TEST(Fetch, CodeThatFitsL0IsFree) {
  program::Segment segment = fma_body(100);
  segment.code_bytes = 1600;
  EXPECT_DOUBLE_EQ(fetch_cycles(round_gpu().kernel.fetch, segment, 0), 0);
}

TEST(Fetch, IsWhatIssueDoesNotCover) {
  program::Segment segment = fma_body(200);
  segment.code_bytes = 3200;  // 200 instructions at 3 cycles: 600
  EXPECT_DOUBLE_EQ(fetch_cycles(round_gpu().kernel.fetch, segment, 200), 400);
  EXPECT_DOUBLE_EQ(fetch_cycles(round_gpu().kernel.fetch, segment, 600), 0);
}

TEST(Fetch, HappensAgainWhereIssueIsMuchSlower) {
  program::Segment segment = fma_body(200);
  segment.code_bytes = 3200;
  EXPECT_DOUBLE_EQ(fetch_cycles(round_gpu().kernel.fetch, segment, 600 * 1.3), 600);
  segment.repeat = 10;  // a loop from the SM's cache drifts
  EXPECT_DOUBLE_EQ(fetch_cycles(round_gpu().kernel.fetch, segment, 600 * 2), 900);
}

TEST(Fetch, BeyondTheSmsCacheComesFromL2) {
  program::Segment segment = fma_body(2000);
  segment.code_bytes = 32'000;  // 2000 instructions at 6 cycles
  EXPECT_DOUBLE_EQ(fetch_cycles(round_gpu().kernel.fetch, segment, 2000), 10'000);
}

TEST(OrderStatistics, AreThoseOfNormalValues) {
  EXPECT_DOUBLE_EQ(gpu::expected_largest(1), 0);
  EXPECT_NEAR(gpu::expected_largest(2), 0.5642, 1e-9);  // 1 / sqrt(pi)
  EXPECT_NEAR(gpu::expected_largest(32), 2.07, 0.01);   // tables: 2.0697
  EXPECT_GT(gpu::expected_largest(2.5), gpu::expected_largest(2));
}

TEST(HiddenIssue, NeverExceedsWhatOtherWarpsIssue) {
  gpu::IssueSpec spec;
  spec.schedulers = 4;
  spec.spread_hide_cycles = 100;
  EXPECT_DOUBLE_EQ(hidden_issue(spec, 500, 4), 0);  // one warp a scheduler
  for (const double warps : {8.0, 16.0, 64.0}) {
    const double others = (1.0 - 4.0 / warps) * 500;
    EXPECT_LT(hidden_issue(spec, 500, warps), others);
    EXPECT_GT(hidden_issue(spec, 500, warps), 0);
  }
}

}  // namespace
}  // namespace septet::testing
