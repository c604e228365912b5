// How many grids may be resident. Launch n (from 0) starts at 4 n + 7 if nothing holds it up.
#include <gtest/gtest.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec with_resident(std::uint32_t grids) {
  system::SystemSpec system = round_system();
  system.gpu.front_end.max_resident_grids = grids;
  return system;
}

// One kernel of 10 us on each of `streams` streams.
program::Program spread(std::uint32_t streams) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.thread();
  for (std::uint32_t s = 0; s < streams; ++s) builder.launch(0, builder.stream());
  return builder.take();
}

TEST(ResidentGrids, OneMoreWaitsUntilOneLeaves) {
  // 7 to 17 and 11 to 21; the third could start at 15 and does so a gap after 17.
  const TimedRun run(spread(3), with_resident(2));
  EXPECT_EQ(run.start(1), 11_us);
  EXPECT_EQ(run.start(2), 18_us);
  EXPECT_EQ(run.cause(2), records::WaitCause::kResidentGrids);
}

TEST(ResidentGrids, UpToTheLimitNobodyWaits) {
  const TimedRun run(spread(3), with_resident(3));
  EXPECT_EQ(run.start(2), 15_us);
  EXPECT_EQ(run.cause(2), records::WaitCause::kSubmission);
}

TEST(ResidentGrids, StreamsWaitInTheOrderInWhichTheyCame) {
  // One at a time: 7 to 17, then every 11 us.
  const TimedRun run(spread(4), with_resident(1));
  for (std::uint32_t s = 1; s < 4; ++s) EXPECT_EQ(run.start(s), 7_us + 11_us * s) << s;
}

TEST(ResidentGrids, CopiesAreNone) {
  system::SystemSpec system = with_resident(1);
  system.gpu.copy.host_to_device = 1_GBps;
  system.host.copy_cost = 4_us;
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  builder.thread();
  builder.launch(0, builder.stream());
  builder.copy(builder.stream(), program::CopyDirection::kHostToDevice, Bytes(1000));
  EXPECT_EQ(TimedRun(builder.take(), system).start(1), 9_us);
}

// A graph of `roots` independent kernels of 10 us: launched at 0, its nodes could start at 5.
program::Program wide_graph(std::uint32_t roots) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  program::Graph graph = program::chain_graph(0, roots);
  graph.edges.clear();
  builder.graph(graph);
  builder.stream();
  builder.thread();
  builder.launch_graph(0, 0);
  return builder.take();
}

TEST(ResidentGrids, GraphNodesAreCountedToo) {
  const TimedRun run(wide_graph(3), with_resident(2));
  EXPECT_EQ(run.node_start(0), 5_us);
  EXPECT_EQ(run.node_start(1), 5_us);
  EXPECT_EQ(run.node_start(2), 15_us);
}

}  // namespace
}  // namespace septet::test
