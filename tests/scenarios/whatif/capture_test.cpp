#include "scenarios/whatif/capture.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/system/pair_system.hpp"
#include "tests/scenarios/whatif/captured.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

TEST(Capture, TheLaunchesOfAStreamBecomeAChain) {
  Maker maker;
  for (int l = 0; l < 3; ++l) maker.launch(0, 0);
  maker.synchronize_device();
  const whatif::Capture capture = captured(maker.take());
  EXPECT_EQ(capture.graphs, 1U);
  EXPECT_EQ(capture.nodes, 3U);
  EXPECT_EQ(edges(capture), (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(calls(capture), "launch graph 0 on 0, synchronize device");
}

TEST(Capture, StreamsThatNothingTiesBecomeGraphsOfTheirOwn) {
  Maker maker;
  maker.launch(0, 1);
  maker.launch(0, 0);
  maker.launch(0, 1);
  const whatif::Capture capture = captured(maker.take());
  EXPECT_EQ(calls(capture), "launch graph 0 on 0, launch graph 1 on 1");
  EXPECT_EQ(capture.program.graphs[0].nodes.size(), 1U);
  EXPECT_EQ(edges(capture, 1), (Edges{{0, 1}}));
}

TEST(Capture, EventsTieStreamsIntoOneGraph) {
  // 0 forks to 1 on the other stream, which joins before 3.
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.wait(0, 1);
  maker.launch(0, 1);
  maker.record(1, 1);
  maker.launch(0, 0);
  maker.wait(1, 0);
  maker.launch(0, 0);
  const whatif::Capture capture = captured(maker.take());
  EXPECT_EQ(capture.graphs, 1U);
  EXPECT_EQ(edges(capture), (Edges{{0, 1}, {0, 2}, {2, 3}, {1, 3}}));
  EXPECT_EQ(calls(capture), "launch graph 0 on 0");
}

TEST(Capture, AWaitIsForTheRecordBeforeItAndNotForALaterOne) {
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.wait(0, 1);
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.launch(0, 1);
  EXPECT_EQ(edges(captured(maker.take())), (Edges{{0, 1}, {0, 2}}));
}

TEST(Capture, ASynchronisationOfAnyKindEndsAStretch) {
  Maker device;
  device.launch(0, 0);
  device.synchronize_device();
  device.launch(0, 0);
  EXPECT_EQ(calls(captured(device.take())),
            "launch graph 0 on 0, synchronize device, launch graph 1 on 0");
  Maker stream;
  stream.launch(0, 0);
  stream.synchronize_stream(0);
  stream.launch(0, 0);
  EXPECT_EQ(calls(captured(stream.take())),
            "launch graph 0 on 0, synchronize stream on 0, launch graph 1 on 0");
}

TEST(Capture, WhatWasRecordedInAGraphIsAwaitedWithTheWholeGraph) {
  Maker maker;
  maker.launch(0, 1);
  maker.record(0, 1);
  maker.launch(0, 1);
  program::Program program = maker.take();
  append(program, program::CallKind::kSynchronizeEvent, 0);
  EXPECT_EQ(calls(captured(program)), "launch graph 0 on 1, synchronize stream on 1");
}

TEST(Capture, AStreamIsAwaitedWhereItsWorkWasLaunched) {
  // Stream 1 waits for stream 0: one graph, launched on stream 0.
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.wait(0, 1);
  maker.launch(0, 1);
  maker.synchronize_stream(1);
  EXPECT_EQ(calls(captured(maker.take())), "launch graph 0 on 0, synchronize stream on 0");
}

TEST(Capture, ABlockingCopyEndsAStretch) {
  system::SystemSpec system = round_system();
  system.gpu.copy.device_to_host = 1_GBps;
  system.host.pageable_read_rate = 1_GBps;
  Maker maker;
  maker.launch(0, 0);
  maker.copy(0, program::CopyDirection::kDeviceToHost, 1_KiB, false);
  maker.launch(0, 0);
  const whatif::Capture capture = captured(maker.take(), {}, system);
  EXPECT_EQ(calls(capture), "launch graph 0 on 0, synchronize stream on 0, launch graph 1 on 0");
  EXPECT_EQ(program::as<program::Copy>(capture.program.graphs[0].nodes[1]).bytes, 1_KiB);
}

// Launches at 0 and, in the second step, at 14.
program::Program two_steps() {
  Maker maker;
  maker.launch(0, 0);
  maker.work(10_us);
  maker.launch(0, 0);
  return maker.take();
}

TEST(Capture, AStepEndsAStretch) {
  whatif::CaptureOptions options;
  options.steps = {Instant(), Instant() + 14_us};
  EXPECT_EQ(calls(captured(two_steps(), options)), "launch graph 0 on 0, launch graph 1 on 0");
}

TEST(Capture, AStepEndsNoneIfTheWholeIsToBecomeOneGraph) {
  whatif::CaptureOptions options;
  options.steps = {Instant(), Instant() + 14_us};
  options.whole = true;
  EXPECT_EQ(calls(captured(two_steps(), options)), "launch graph 0 on 0");
}

TEST(Capture, TheCpusOwnWorkAndOtherCallsAreGone) {
  Maker maker;
  maker.work(5_us);
  maker.launch(0, 0);
  maker.work(5_us);
  program::Program program = maker.take();
  append(program, program::CallKind::kApi, kNone);
  EXPECT_EQ(calls(captured(program)), "launch graph 0 on 0");
}

TEST(Capture, SynchronisationsCostWhatTheProfileSays) {
  Maker maker;
  maker.launch(0, 0);
  maker.synchronize_device();
  program::Program program = maker.take();
  program.threads[0].calls[1].cost = 70_us;  // as recorded, with a profiler
  EXPECT_EQ(captured(program).program.threads[0].calls[1].cost, program::kModelled);
}

TEST(Capture, NodesKeepWhatTheirCallsWere) {
  system::SystemSpec system = round_system();
  system.gpu.copy.memset = system.gpu.copy.memset_in_l2 = 1_GBps;
  Maker maker;
  program::Kernel recorded = program::spin_kernel(1, 32, 0_us);
  recorded.work = program::RecordedWork{};
  const std::uint32_t kernel = maker.kernel(recorded);
  maker.launch(kernel, 0, true);
  maker.memset(0, 2_KiB);
  program::Program program = maker.take();
  time_in(program.threads[0].calls[0]) = 7_us;
  program.threads[0].calls[0].correlation = 99;
  const std::vector<program::GraphNode> nodes =
      captured(program, {}, system).program.graphs[0].nodes;
  const program::LaunchKernel& launch = program::as<program::LaunchKernel>(nodes[0]);
  EXPECT_EQ(launch.kernel, kernel);
  EXPECT_EQ(launch.recorded, 7_us);
  EXPECT_EQ(nodes[0].correlation, 99U);
  EXPECT_TRUE(launch.programmatic);
  EXPECT_EQ(program::as<program::Memset>(nodes[1]).bytes, 2_KiB);
}

TEST(Capture, ALaunchedGraphBecomesAChildGraph) {
  Maker maker;
  maker.graph(program::chain_graph(0, 2));
  maker.launch(0, 0);
  maker.launch_graph(0, 0);
  const whatif::Capture capture = captured(maker.take());
  const program::Graph& graph = capture.program.graphs.at(1);
  EXPECT_EQ(program::as<program::ChildGraph>(graph.nodes[1]).graph, 0U);
}

TEST(Capture, TheThreadsOfAProcessAreCapturedTogether) {
  Maker maker;
  maker.launch(0, 0);  // from 0
  maker.thread();
  maker.work(2_us);
  maker.launch(0, 0);  // from 2
  const whatif::Capture capture = captured(maker.take());
  ASSERT_EQ(capture.program.threads.size(), 1U);
  EXPECT_EQ(edges(capture), (Edges{{0, 1}}));
}

TEST(Capture, ProcessesAreCapturedOneByOne) {
  system::SystemSpec system = round_system();
  system.mps = true;
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  for (std::uint32_t p = 0; p < 2; ++p) {
    const std::uint32_t stream = builder.stream(0, p);
    builder.thread(p);
    builder.launch(0, stream);
  }
  const whatif::Capture capture = captured(builder.take(), {}, system);
  ASSERT_EQ(capture.program.threads.size(), 2U);
  EXPECT_EQ(calls(capture, 0), "launch graph 0 on 0");
  EXPECT_EQ(calls(capture, 1), "launch graph 1 on 1");
  EXPECT_EQ(capture.program.threads[1].process, 1U);
}

TEST(Capture, AGraphWaitsForTheGraphsThatHoldEarlierWorkOfItsStreams) {
  whatif::CaptureOptions options;
  options.steps = {Instant(), Instant() + 18_us};
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 1);
  maker.work(10_us);
  maker.record(0, 0);  // the second step begins at 18: both streams together, on stream 0
  maker.wait(0, 1);
  maker.launch(0, 1);
  const whatif::Capture capture = captured(maker.take(), options);
  EXPECT_EQ(calls(capture),
            "launch graph 0 on 0, launch graph 1 on 1, record event on 1, wait event on 0, "
            "launch graph 2 on 0");
}

TEST(Capture, AWaitWithNothingBehindItInItsStretchHoldsUpWhatFollows) {
  Maker maker;
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.synchronize_stream(1);  // of nothing
  maker.wait(0, 1);
  maker.synchronize_stream(1);  // and so of the kernel
  maker.launch(0, 1);
  EXPECT_EQ(calls(captured(maker.take())),
            "launch graph 0 on 0, synchronize stream on 1, record event on 0, wait event on 1, "
            "synchronize stream on 1, launch graph 1 on 1");
}

TEST(Capture, AnEventRecordedAgainLaterStillTiesAWaitToTheRecordBeforeIt) {
  whatif::CaptureOptions options;
  options.steps = {Instant(), Instant() + 14_us};
  Maker maker;
  const std::uint32_t third = maker.stream();
  maker.launch(0, 0);
  maker.record(0, 0);
  maker.work(10_us);
  maker.wait(0, 1);  // the second step begins at 14
  maker.launch(0, 1);
  maker.record(0, third);
  EXPECT_EQ(calls(captured(maker.take(), options)),
            "launch graph 0 on 0, record event on 0, wait event on 1, launch graph 1 on 1");
}

TEST(Capture, TheGraphRunsAtTheCostsOfTheProfile) {
  Maker maker;
  for (int l = 0; l < 3; ++l) maker.launch(0, 0);
  maker.synchronize_device();
  const TimedRun run(captured(maker.take()).program);
  // 2 + 1 + 2 to the first node, three of 10 us with gaps of 0.5, 1 + 1 back.
  EXPECT_EQ(run.rows().span(), 38_us);
}

// Two ranks compute for 10 us, the second one a launch later, and add up for 106 us.
TEST(Capture, CollectivesBecomeNodes) {
  Ranks pair(2);
  pair.program.kernels.push_back(program::spin_kernel(1, 32, 10_us));
  const auto all_reduce =
      pair.collective(pair.group({0, 1}), program::CollectiveOp::kAllReduce, Bytes(10'000'000));
  for (const std::uint32_t rank : {0U, 1U}) {
    for (std::uint32_t l = 0; l < 1 + rank; ++l) {
      append(pair.program, program::CallKind::kLaunchKernel, 0, rank).stream = rank;
    }
    pair.join(rank, all_reduce);
    append(pair.program, program::CallKind::kSynchronizeStream, kNone, rank).stream = rank;
  }
  const whatif::Capture capture = captured(pair.program, {}, pair_system());
  EXPECT_EQ(capture.graphs, 2U);
  EXPECT_EQ(capture.nodes, 5U);
  EXPECT_EQ(edges(capture, 0), (Edges{{0, 1}}));
  EXPECT_EQ(edges(capture, 1), (Edges{{0, 1}, {1, 2}}));
  EXPECT_TRUE(program::is<program::JoinCollective>(capture.program.graphs[0].nodes[1]));
  const system::ProgramRun run = run_program(capture.program, pair_system(), {});
  ASSERT_EQ(run.gpus.size(), 2U);
  for (const std::uint32_t rank : {0U, 1U}) {
    EXPECT_EQ(run.gpus[rank].times.compute(), 10_us * (1 + rank));
    EXPECT_EQ(run.gpus[rank].times.exposed(), 106_us);
  }
  EXPECT_EQ(run.gpus[0].times.waiting(), 10_us + 500_ns);  // a kernel and the gap to the next node
}

}  // namespace
}  // namespace septet::test
