#include "scenarios/system/system.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"
#include "scenarios/system/run_program.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

program::Program chain(int kernels, Duration time) {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(program::spin_kernel(1, 32, time));
  const std::uint32_t stream = builder.stream();
  builder.thread();
  for (int k = 0; k < kernels; ++k) builder.launch(kernel, stream);
  builder.synchronize_device();
  return builder.take();
}

TEST(System, OneKernelTakesLaunchWayStartWorkAndWayBack) {
  // 4 launch + 1 doorbell + 2 start + 10 work + 1 completion + 1 wake-up
  EXPECT_EQ(span_of(chain(1, 10_us), round_system()), 19_us);
}

system::Unfinished unfinished_at(Instant end) {
  engine::RunOptions options;
  options.end = end;
  return run_program(chain(3, 10_us), round_system(), options).unfinished;
}

TEST(System, SaysWhatAnEarlyEndCutOff) {
  // Launches return at 4, 8 and 12 us, kernels end at 17, 28 and 39 us.
  const system::Unfinished early = unfinished_at(Instant() + 6_us);
  EXPECT_EQ(early.launches, 3U);
  EXPECT_EQ(early.all_launches, 3U);
  EXPECT_EQ(early.calls, 3U);  // two launches and the synchronisation
  const system::Unfinished late = unfinished_at(Instant() + 20_us);
  EXPECT_EQ(late.launches, 2U);
  EXPECT_EQ(late.calls, 1U);
  const system::Unfinished whole = unfinished_at(Instant::max());
  EXPECT_EQ(whole.launches, 0U);
  EXPECT_EQ(whole.all_launches, 3U);
  EXPECT_EQ(whole.calls, 0U);
}

TEST(System, QueuedKernelsOfAStreamFollowAfterTheGap) {
  // The CPU is ahead: 3 x 10 work and 2 x 1 gap instead of 10 work.
  EXPECT_EQ(span_of(chain(3, 10_us), round_system()), 41_us);
}

TEST(System, ShortKernelsAreBoundByTheCpu) {
  // 10 launches of 4 us each; the last kernel of 0 us ends 3 us after its launch.
  EXPECT_EQ(span_of(chain(10, 0_us), round_system()), 45_us);
}

TEST(System, AFullRingBlocksTheCallerUntilAKernelHasEnded) {
  system::SystemSpec system = round_system();
  system.host.pending_launches_max = 1;
  // Each launch waits for the kernel before: 4 + 1 + 2 + 10 + 1 until the completion is seen.
  // Three times that, then the wake-up of the synchronisation.
  EXPECT_EQ(span_of(chain(3, 10_us), system), 55_us);
}

TEST(System, GraphNodesFollowAfterTheNodeGap) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.stream();
  builder.graph(program::chain_graph(0, 3));
  builder.thread();
  builder.launch_graph(0, 0);
  builder.synchronize_device();
  // 2 launch + 1 + 2 + 3 x 10 + 2 x 0.5 + 1 + 1
  EXPECT_EQ(span_of(builder.take(), round_system()), 38_us);
}

// Two processes that take turns of 20 us, each with a kernel of 30 us that doesn't watch the clock.
TEST(System, AKernelThatIsSwitchedOutGoesOnWhereItStopped) {
  program::ProgramBuilder builder;
  program::Kernel kernel = program::spin_kernel(1, 32, 30_us);
  std::get<program::FixedBlockWork>(kernel.work).by_clock = false;
  builder.kernel(kernel);
  for (std::uint32_t process = 0; process < 2; ++process) {
    builder.stream(0, process);
    builder.thread(process);
    builder.launch(0, process);
    builder.synchronize_device();
  }
  system::SystemSpec system = round_system();
  system.gpu.time_slice = {20_us, 2_us, 0_us};
  const system::ProgramRun run = run_program(builder.take(), system, {});
  const analysis::RunRows rows = analysis::collect_rows(run.rows);
  ASSERT_EQ(rows.works.size(), 2U);
  // Commands come at 5 us. The first process has the GPU until 25 and its kernel starts at 7: 18 us
  // are done. The second starts at 27 and has done 20 when it is switched out at 47. The first goes
  // on at 49 and ends at 61, where it gives up its slice; the second goes on at 63 and ends at 73.
  EXPECT_EQ(rows.works[0].end, Instant() + 61_us);
  EXPECT_EQ(rows.works[1].start, Instant() + 27_us);
  EXPECT_EQ(rows.works[1].end, Instant() + 73_us);
}

TEST(System, APersistentKernelAnswersAfterHalfARoundTripEach) {
  program::ProgramBuilder builder;
  const std::uint32_t queue = builder.queue();
  program::Kernel kernel = program::spin_kernel(1, 32, 0_us);
  kernel.work = program::PersistentWork{queue, 1};
  builder.stream();
  builder.thread();
  builder.launch(builder.kernel(kernel), 0);
  builder.push(queue, 10_us);
  builder.await_items(queue, 1);
  system::SystemSpec system = round_system();
  system.gpu.queue = {4_us, 2_us};
  // 4 launch; the kernel reads from 4 + 1 + 2 on, sees the item at 11, has done it at 21, and its
  // write is there at 22; the fence, and with it the kernel, ends at 23.
  const system::ProgramRun run = run_program(builder.take(), system, {});
  const analysis::RunRows rows = analysis::collect_rows(run.rows);
  EXPECT_EQ(rows.calls.back().end, Instant() + 22_us);
  EXPECT_EQ(rows.works.at(0).end, Instant() + 23_us);
}

TEST(System, AHostNodeTakesItsTime) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.stream();
  program::Graph graph = program::chain_graph(0, 3);
  graph.nodes[1].what = program::HostWork{7_us};
  builder.graph(graph);
  builder.thread();
  builder.launch_graph(0, 0);
  builder.synchronize_device();
  // 2 launch + 1 + 2 + 10 + 7 + 10 + 2 x 0.5 + 1 + 1
  EXPECT_EQ(span_of(builder.take(), round_system()), 35_us);
}

// Three kernels each on three streams, issued stream by stream.
program::Program depth_first() {
  program::ProgramBuilder builder;
  const std::uint32_t kernel = builder.kernel(program::spin_kernel(1, 32, 1_ms));
  for (int s = 0; s < 3; ++s) builder.stream();
  builder.thread();
  for (std::uint32_t s = 0; s < 3; ++s) {
    for (int k = 0; k < 3; ++k) builder.launch(kernel, s);
  }
  builder.synchronize_device();
  return builder.take();
}

TEST(System, OneConnectionMakesTwoKernelsOfEachFurtherStreamWait) {
  system::SystemSpec system = round_system();
  system.connections = 1;
  // 2 s + 1 = 7 kernel times: only the last kernel of a stream overlaps the next stream's first.
  EXPECT_NEAR(to_us(span_of(depth_first(), system)), 7000.0, 30.0);
  system.connections = 8;
  EXPECT_NEAR(to_us(span_of(depth_first(), system)), 3000.0, 60.0);
}

TEST(System, BlocksThatDoNotFitWaitForTheNextWave) {
  program::ProgramBuilder builder;
  // 1,024 threads a block, 2,048 a SM, 4 SMs: 8 blocks at once, 9 blocks take two turns.
  builder.kernel(program::spin_kernel(9, 1024, 10_us));
  builder.stream();
  builder.thread();
  builder.launch(0, 0);
  builder.synchronize_device();
  EXPECT_EQ(span_of(builder.take(), round_system()), 29_us);
}

TEST(System, ThreadsThatWaitForEverAreNamed) {
  program::ProgramBuilder builder;
  const std::uint32_t signal = builder.signal();
  builder.thread(0, "reader");
  builder.await(signal, 1);
  const program::Program program = builder.take();
  system::System system(program, round_system());
  try {
    system.run({});
    FAIL() << "the run ended";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("reader"), std::string::npos) << error.what();
  }
}

TEST(System, TheDigestDoesNotDependOnThreads) {
  const program::Program program = depth_first();
  engine::RunOptions options;
  const std::uint64_t one = run_program(program, round_system(), options).result.digest;
  options.threads = 4;
  EXPECT_EQ(run_program(program, round_system(), options).result.digest, one);
}

}  // namespace
}  // namespace septet::test
