// Collectives in a whole system: when ranks meet, how long it takes, what it takes from others.
#include <gtest/gtest.h>

#include "models/records/collective_record.hpp"
#include "tests/scenarios/system/pair_system.hpp"

namespace septet::test {
namespace {

constexpr Bytes kHundredMicroseconds{10'000'000};  // at 100 GB/s

TEST(Collectives, StartWhenTheLastRankIsThere) {
  Ranks pair(2);
  const auto all_reduce =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  pair.work(1, 30_us);
  for (const std::uint32_t rank : {0U, 1U}) pair.join(rank, all_reduce);
  const TimedRun run(pair.program, pair_system());
  EXPECT_EQ(run.start(0), 7_us);
  EXPECT_EQ(run.start(1), 37_us);
  // A pair sends 2 * 1 / 2 of the buffer.
  EXPECT_EQ(run.end(0), 37_us + 6_us + 100_us);
  EXPECT_EQ(run.end(1), 143_us);
}

TEST(Collectives, AreShownWithWhatEachRankWaited) {
  Ranks pair(2);
  const auto all_reduce = pair.collective(pair.group({1, 0}, "back to front"),
                                          program::CollectiveOp::kAllReduce, 1_KiB);
  pair.work(1, 30_us);
  for (const std::uint32_t rank : {0U, 1U}) pair.join(rank, all_reduce);
  const system::ProgramRun run = run_program(pair.program, pair_system(), {});
  const std::span<const records::CollectiveRecord> rows =
      run.rows.records<records::CollectiveRecord>();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].rank, 0);
  EXPECT_EQ(rows[0].device, 1);  // which is late
  EXPECT_EQ(rows[0].waited, 0_us);
  EXPECT_EQ(rows[1].rank, 1);
  EXPECT_EQ(rows[1].device, 0);
  EXPECT_EQ(rows[1].waited, 30_us);
  for (const records::CollectiveRecord& row : rows) EXPECT_EQ(row.bytes, 1_KiB);
  EXPECT_EQ(run.trace.communicators, std::vector<std::string>{"back to front"});
}

TEST(Activity, TellsWhatEachGpuDidAndForWhomTheOthersWaited) {
  Ranks pair(2);
  pair.program.kernels.push_back(program::spin_kernel(1, 32, 50_us));
  const auto all_reduce =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  pair.work(1, 30_us);
  for (const std::uint32_t rank : {0U, 1U}) pair.join(rank, all_reduce);
  append(pair.program, program::CallKind::kLaunchKernel, 0, 0).stream = 0;
  const system::ProgramRun run = run_program(pair.program, pair_system(), {});
  ASSERT_EQ(run.gpus.size(), 2U);
  EXPECT_EQ(run.gpus[0].times.waiting(), 30_us);
  EXPECT_EQ(run.gpus[0].times.exposed(), 106_us);  // start-up and transfer
  EXPECT_EQ(run.gpus[0].times.compute(), 50_us);
  EXPECT_EQ(run.gpus[0].times.for_peers(), 0_us);
  EXPECT_EQ(run.gpus[0].straggler_wait.seconds, 0);
  EXPECT_EQ(run.gpus[1].times.waiting(), 0_us);
  EXPECT_EQ(run.gpus[1].times.exposed(), 106_us);
  EXPECT_DOUBLE_EQ(run.gpus[1].straggler_wait.seconds, 30e-6);
  EXPECT_EQ(run.gpus[1].straggler_wait.collectives, 1U);
}

TEST(Activity, IsKnownOfGpusThatAreNotTraced) {
  Ranks four(4);
  const auto all_reduce =
      four.collective(four.group({0, 1, 2, 3}), program::CollectiveOp::kAllReduce, 1_KiB);
  four.work(3, 30_us);
  for (const std::uint32_t rank : {0U, 1U, 2U, 3U}) four.join(rank, all_reduce);
  system::SystemSpec system = pair_system();
  system.traced_gpus = 1;
  const system::ProgramRun run = run_program(four.program, system, {});
  EXPECT_EQ(run.rows.records<records::KernelRecord>().size(), 1U);
  EXPECT_EQ(run.gpus[2].times.waiting(), 30_us);
  EXPECT_DOUBLE_EQ(run.gpus[3].straggler_wait.seconds, 3 * 30e-6);
}

TEST(Activity, SharesTheWaitingAmongRanksThatComeLastAtOnce) {
  Ranks four(4);
  const auto all_reduce =
      four.collective(four.group({0, 1, 2, 3}), program::CollectiveOp::kAllReduce, 1_KiB);
  for (const std::uint32_t rank : {2U, 3U}) four.work(rank, 30_us);
  for (const std::uint32_t rank : {0U, 1U, 2U, 3U}) four.join(rank, all_reduce);
  const system::ProgramRun run = run_program(four.program, pair_system(), {});
  for (const std::uint32_t rank : {0U, 1U})
    EXPECT_EQ(run.gpus[rank].straggler_wait.collectives, 0U);
  for (const std::uint32_t rank : {2U, 3U}) {
    EXPECT_DOUBLE_EQ(run.gpus[rank].straggler_wait.seconds, 30e-6);  // two waited for two
    EXPECT_EQ(run.gpus[rank].straggler_wait.collectives, 1U);
  }
}

TEST(Extent, IsOfAllGpusTracedOrNot) {
  Ranks pair(2);
  pair.program.kernels.push_back(program::spin_kernel(1, 32, 50_us));
  append(pair.program, program::CallKind::kLaunchKernel, 0, 0).stream = 0;
  pair.work(1, 30_us);
  append(pair.program, program::CallKind::kLaunchKernel, 0, 1).stream = 1;
  system::SystemSpec system = pair_system();
  for (const std::uint32_t traced : {1U, 2U}) {
    system.traced_gpus = traced;
    const system::ProgramRun run = run_program(pair.program, system, {});
    EXPECT_EQ(analysis::collect_rows(run).span(), 87_us);  // 30 on the CPU, 7 to the GPU, 50 there
    // From its end at 57 the first one is idle.
    EXPECT_EQ(analysis::collect_rows(run).works[0].end - Instant(), 57_us);
  }
}

TEST(Extent, ReachesToWhereARunWasCut) {
  Ranks one(1);
  one.program.kernels.push_back(program::spin_kernel(1, 32, 50_us));
  append(one.program, program::CallKind::kLaunchKernel, 0, 0).stream = 0;
  engine::RunOptions options;
  for (const Duration end : {30_us, 56_us, 90_us}) {  // the kernel ends at 57
    options.end = Instant() + end;
    const system::ProgramRun run = run_program(one.program, pair_system(), options);
    EXPECT_EQ(run.unfinished.any(), end < 57_us);
    EXPECT_EQ(analysis::collect_rows(run).span(), std::min(end, Duration(57_us)));
  }
}

TEST(Activity, BlamesNobodyForAReceiveThatWaits) {
  Ranks pair(2);
  const auto group = pair.group({0, 1});
  const auto send = pair.collective(group, program::CollectiveOp::kSend, 0_B, 1);
  const auto receive = pair.collective(group, program::CollectiveOp::kReceive, 0_B, 0);
  pair.work(0, 30_us);
  pair.join(0, send);
  pair.join(1, receive);
  const system::ProgramRun run = run_program(pair.program, pair_system(), {});
  EXPECT_EQ(run.gpus[1].times.waiting(), 30_us);
  EXPECT_EQ(run.gpus[1].times.for_peers(), 30_us);
  EXPECT_EQ(run.gpus[0].straggler_wait.seconds, 0);
}

TEST(Activity, IsNotKeptWithoutCollectives) {
  program::ProgramBuilder builder;
  const auto kernel = builder.kernel(program::spin_kernel(1, 32, 50_us));
  const auto stream = builder.stream();
  builder.thread();
  builder.launch(kernel, stream);
  EXPECT_TRUE(run_program(builder.take(), round_system(), {}).gpus.empty());
}

TEST(Collectives, OfRecordedTimeTakeItFromTheLastRankOn) {
  Ranks pair(2);
  const auto all_reduce =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, 1_KiB);
  pair.program.collectives[all_reduce].recorded = 20_us;
  pair.work(0, 5_us);
  for (const std::uint32_t rank : {0U, 1U}) pair.join(rank, all_reduce);
  const TimedRun run(pair.program, pair_system());
  EXPECT_EQ(run.end(0), 12_us + 20_us);
}

TEST(Collectives, OfOneStreamRunOneAfterTheOther) {
  Ranks pair(2);
  const auto all_reduce =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  for (int turn = 0; turn < 2; ++turn) {
    for (const std::uint32_t rank : {0U, 1U}) pair.join(rank, all_reduce);
  }
  const TimedRun run(pair.program, pair_system());
  EXPECT_EQ(run.end(0, 0), 113_us);
  EXPECT_EQ(run.start(0, 1), 114_us);  // the stream's gap
  EXPECT_EQ(run.end(0, 1), 220_us);
}

// Two groups over the same pair on two streams. The second is called 4 us later; its transfer
// begins at 17 us, when the first one has done 4 of 100 us. From there both run at half their rate:
// the first ends at 17 + 192 us; by then the second has done 96 us, and ends 4 us later.
TEST(Collectives, StretchEachOtherOnTheSameLinks) {
  Ranks pair(2);
  for (std::uint32_t d = 0; d < 2; ++d) {
    pair.program.streams.push_back(pair.program.streams[d]);  // streams 2 and 3
  }
  const auto first =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  const auto second =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  for (const std::uint32_t rank : {0U, 1U}) {
    pair.join(rank, first);
    pair.join(rank, second, 2 + rank);
  }
  const TimedRun run(pair.program, pair_system());
  EXPECT_EQ(run.end(0), 209_us);
  EXPECT_EQ(run.end(2), 213_us);
}

TEST(Collectives, OfDifferentPairsDoNotMeet) {
  Ranks four(4);
  const auto left =
      four.collective(four.group({0, 1}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  const auto right =
      four.collective(four.group({2, 3}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  for (const std::uint32_t rank : {0U, 1U}) four.join(rank, left);
  for (const std::uint32_t rank : {2U, 3U}) four.join(rank, right);
  const TimedRun run(four.program, pair_system());
  EXPECT_EQ(run.end(0), 113_us);
  EXPECT_EQ(run.end(3), 113_us);
}

// 10 MB over a NIC of 50 GB/s take 200 us; start-up 4 + 3 us. The sends are matched in order.
TEST(Collectives, SendsMeetReceivesInTheirOrder) {
  Ranks four(4);
  const auto group = four.group({0, 1, 2, 3});
  const auto send = four.collective(group, program::CollectiveOp::kSend, kHundredMicroseconds, 2);
  const auto receive =
      four.collective(group, program::CollectiveOp::kReceive, kHundredMicroseconds, 0);
  const auto small_send = four.collective(group, program::CollectiveOp::kSend, 0_B, 2);
  const auto small_receive = four.collective(group, program::CollectiveOp::kReceive, 0_B, 0);
  four.join(0, send);
  four.join(0, small_send);
  four.work(2, 10_us);
  four.join(2, receive);
  four.join(2, small_receive);
  const TimedRun run(four.program, pair_system());
  EXPECT_EQ(run.end(0, 0), 17_us + 7_us + 200_us);
  EXPECT_EQ(run.end(2, 0), 224_us);
  EXPECT_EQ(run.end(2, 1), 225_us + 7_us);  // after the stream's gap
}

TEST(Collectives, InGraphsMeetLikeThoseOnStreams) {
  Ranks pair(2);
  const auto all_reduce =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, kHundredMicroseconds);
  program::Graph graph;
  graph.nodes = {{.what = program::JoinCollective{all_reduce}}};
  pair.program.graphs.push_back(graph);
  append(pair.program, program::CallKind::kLaunchGraph, 0, 0).stream = 0;
  pair.join(1, all_reduce);
  const TimedRun run(pair.program, pair_system());
  EXPECT_EQ(run.start(0), 5_us);  // 2 launch, 1 doorbell, 2 start
  EXPECT_EQ(run.end(0), 113_us);
  EXPECT_EQ(run.end(1), 113_us);
}

// A block of a collective takes 544 threads of 96 registers, more than 52,000 of an SM's 65,536: no
// block of 1,024 threads of 16 fits beside it. Of the kernel's eight blocks, two on each of the
// four SMs at once without it, four have to wait where two channels hold two SMs.
TEST(Collectives, TakeRoomOnTheSmsFromKernels) {
  const auto kernel_end = [](bool beside_collective) {
    Ranks pair(2);
    pair.program.streams.push_back(pair.program.streams[0]);  // stream 2
    pair.program.kernels.push_back(program::spin_kernel(8, 1024, 20_us));
    const auto all_reduce = pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce,
                                            kHundredMicroseconds);
    if (beside_collective) {
      pair.join(0, all_reduce);
      pair.join(1, all_reduce);
    } else {
      pair.work(0, 4_us);
    }
    append(pair.program, program::CallKind::kLaunchKernel, 0, 0).stream = 2;
    system::SystemSpec system = pair_system();
    system.network.channels = 2;
    return TimedRun(pair.program, system).end(2);
  };
  EXPECT_EQ(kernel_end(false), 11_us + 20_us);
  EXPECT_EQ(kernel_end(true), 11_us + 40_us);
}

// Two kernels of 100 us fill all SMs of rank 0; the collective waits for room there.
TEST(Collectives, WaitForRoomOnTheSms) {
  Ranks pair(2);
  pair.program.streams.push_back(pair.program.streams[0]);  // stream 2
  pair.program.kernels.push_back(program::spin_kernel(8, 1024, 100_us));
  const auto all_reduce =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, 0_B);
  append(pair.program, program::CallKind::kLaunchKernel, 0, 0).stream = 2;
  for (const std::uint32_t rank : {0U, 1U}) pair.join(rank, all_reduce);
  const TimedRun run(pair.program, pair_system());
  EXPECT_EQ(run.start(0), 107_us);
  EXPECT_EQ(run.end(1), 107_us + 6_us);
}

}  // namespace
}  // namespace septet::test
