#include "models/gpu/horizon/call_horizon.hpp"

#include <gtest/gtest.h>

#include "models/network/uniform/uniform_network.hpp"
#include "models/program/builder.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

constexpr Duration kGap{kPicosecondsPerMicrosecond};

// Four GPUs, two to a node; GPU 0 has streams 0 and 1. Collective 0 is inside its node and takes 4
// + 2 us to start up, collective 1 joins it with GPU 2 of the other node.
struct TwoNodes {
  program::ProgramBuilder builder;

  TwoNodes() {
    builder.kernel({"kernel", {}, program::RecordedWork{}, {}});
    builder.stream(0, 0, 0);
    builder.stream(0, 0, 0);
    for (std::uint32_t d = 1; d < 4; ++d) builder.stream(0, d, d);
    builder.event();
    program::Collective collective;
    for (const auto& ranks : {std::vector{0U, 1U}, std::vector{0U, 2U}}) {
      collective.communicator = builder.communicator(ranks);
      builder.collective(collective);
    }
    builder.thread();
  }

  // Kernel of so long on a stream.
  void kernel(Duration time, std::uint32_t stream) {
    builder.launch(0, stream);
    times.push_back(time);
  }

  gpu::CallHorizon horizon_of_gpu_0() {
    program = builder.take();
    std::size_t n = 0;
    for (program::Call& call : program.threads[0].calls) {
      if (call.kind() == program::CallKind::kLaunchKernel) time_in(call) = times[n++];
    }
    const program::ProgramLayout layout = lay_out(program);
    network::NetworkSpec spec;
    spec.gpus_per_node = 2;
    spec.startup = 4_us;
    spec.link_latency = 1_us;
    const network::UniformNetwork network(spec, 4);
    const network::CollectiveCallTable calls(program, network);
    const gpu::CallHorizons horizons({program, layout, calls, network, kGap});
    const gpu::CallHorizon* horizon = horizons.of(0);
    return horizon == nullptr ? gpu::CallHorizon{} : *horizon;
  }

  std::vector<Duration> times;
  program::Program program;
};

constexpr Instant at(std::int64_t us) { return Instant(us * kPicosecondsPerMicrosecond); }

// What stream 1 sends comes after 10 + 20 us on stream 0, with a gap between; what comes after the
// record does not matter.
gpu::CallHorizon chain() {
  TwoNodes nodes;
  nodes.kernel(10_us, 0);      // call 0
  nodes.kernel(20_us, 0);      // 1
  nodes.builder.record(0, 0);  // 2
  nodes.kernel(40_us, 0);      // 3
  nodes.builder.wait(0, 1);    // 4
  nodes.builder.join(1, 1);    // 5
  return nodes.horizon_of_gpu_0();
}

TEST(CallHorizon, KnowsWhatACollectiveThatLeavesTheNodeComesAfter) {
  const gpu::CallHorizon horizon = chain();
  ASSERT_EQ(horizon.departures.size(), 2U);
  EXPECT_TRUE(horizon.departures[0].empty());
  ASSERT_EQ(horizon.departures[1].size(), 1U);
  EXPECT_EQ(horizon.departures[1][0].needs, (std::vector<std::uint32_t>{2, 5}));
  EXPECT_EQ(horizon.through[3], 10_us + 1_us + 20_us + 1_us + 40_us);
}

TEST(CallHorizon, ForeseesWhatIsBeforeItOnAnotherStream) {
  const gpu::CallHorizon horizon = chain();
  // Nothing has started: 31 us, but the first gap may be over.
  EXPECT_EQ(first_departure(horizon, std::vector<gpu::StreamProgress>(2), at(100)), at(130));
  // The first kernel has run since 95 us: it ends at 105, then gap and 20 us.
  gpu::StreamProgress running;
  running.running = 0;
  running.since = at(95);
  EXPECT_EQ(first_departure(horizon, std::vector{running, gpu::StreamProgress{}}, at(100)),
            at(126));
  // The second is over, and the third does not matter.
  gpu::StreamProgress third;
  third.ended = 2;
  third.running = 3;
  third.since = at(99);
  EXPECT_EQ(first_departure(horizon, std::vector{third, gpu::StreamProgress{}}, at(100)), at(100));
}

TEST(CallHorizon, HasNoEndWhileTheLastOneIsAway) {
  gpu::StreamProgress away;
  away.departed = 1;
  away.away = true;
  away.ended = 4;
  const gpu::CallHorizon horizon = chain();
  EXPECT_EQ(first_departure(horizon, std::vector{gpu::StreamProgress{}, away}, at(100)),
            Instant::max());
}

TEST(CallHorizon, CountsCollectivesInsideTheNode) {
  TwoNodes nodes;
  nodes.builder.join(0, 0);
  nodes.builder.join(1, 0);
  nodes.builder.thread(1, "other rank");
  nodes.builder.join(0, 2);
  const gpu::CallHorizon horizon = nodes.horizon_of_gpu_0();
  // 4 us and two steps of 1 us, but for a nanosecond that roundings may take.
  ASSERT_EQ(horizon.least.size(), 2U);
  EXPECT_EQ(horizon.least[0], 6_us - 1_ns);
  EXPECT_EQ(horizon.departures[0][0].needs[0], 1U);
}

TEST(CallHorizon, KnowsWhatTheThreadWaitedFor) {
  TwoNodes nodes;
  nodes.kernel(10_us, 0);
  nodes.builder.synchronize_stream(0);
  nodes.builder.join(1, 1);
  const gpu::CallHorizon horizon = nodes.horizon_of_gpu_0();
  EXPECT_EQ(horizon.departures[1][0].needs, (std::vector<std::uint32_t>{1, 0}));
}

// The thread waits for the other GPU of its process, which says nothing of this one.
TEST(CallHorizon, KnowsForWhichDeviceTheThreadWaited) {
  TwoNodes nodes;
  nodes.kernel(10_us, 0);
  nodes.builder.synchronize_device(1);
  nodes.builder.join(1, 1);
  const gpu::CallHorizon horizon = nodes.horizon_of_gpu_0();
  EXPECT_EQ(horizon.departures[1][0].needs, (std::vector<std::uint32_t>{0, 0}));
}

// A wait is for the last record of an event, which here is that of another GPU.
TEST(CallHorizon, ForgetsARecordWhenAnotherGpuRecordsTheEvent) {
  TwoNodes nodes;
  const std::uint32_t other = nodes.builder.stream(0, 0, 1);  // of the same process
  nodes.kernel(10_us, 0);
  nodes.builder.record(0, 0);
  nodes.builder.record(0, other);
  nodes.builder.wait(0, 1);
  nodes.builder.join(1, 1);
  const gpu::CallHorizon horizon = nodes.horizon_of_gpu_0();
  EXPECT_EQ(horizon.departures[1][0].needs, (std::vector<std::uint32_t>{0, 4}));
}

TEST(CallHorizon, CountsNothingForWhatMayOverlap) {
  TwoNodes nodes;
  nodes.kernel(10_us, 0);
  nodes.builder.launch(0, 0, true);
  nodes.times.push_back(5_us);
  nodes.builder.join(1, 0);
  const gpu::CallHorizon horizon = nodes.horizon_of_gpu_0();
  EXPECT_EQ(horizon.through[1], 10_us);
}

TEST(CallHorizon, IsNotThereWhereSeveralThreadsUseAGpu) {
  TwoNodes nodes;
  nodes.builder.join(1, 1);
  nodes.builder.thread(0, "second");
  EXPECT_TRUE(nodes.horizon_of_gpu_0().departures.empty());
}

}  // namespace
}  // namespace septet::test
