#include "scenarios/replay/recorded_system.hpp"

#include <gtest/gtest.h>

#include "tests/models/workload/recorded/import/import_fixture.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Launches 2 us, graphs 3, stream gap 1, graph gap 4, node gap 0.5, wake-up 5.
gpu::FrontEndSpec front_end(const recorded::RecordedLatencies& latencies = round_latencies()) {
  return replay::recorded_system(round_system(), latencies).gpu.front_end;
}

TEST(RecordedSystem, SplitsLaunchLatenciesIntoTheWayAndTheStart) {
  // The profile's way takes 1 us.
  EXPECT_EQ(front_end().doorbell_latency, 1_us);
  EXPECT_EQ(front_end().launch_latency, 1_us);
  EXPECT_EQ(front_end().copy_launch_latency, 1_us);
  EXPECT_EQ(front_end().memset_launch_latency, 1_us);
  EXPECT_EQ(front_end().graph_launch_latency, 2_us);
}

TEST(RecordedSystem, ShortensTheWayToTheShortestLatency) {
  recorded::RecordedLatencies latencies = round_latencies();
  latencies.memset.value = 400_ns;
  EXPECT_EQ(front_end(latencies).doorbell_latency, 400_ns);
  EXPECT_EQ(front_end(latencies).memset_launch_latency, 0_ns);
  EXPECT_EQ(front_end(latencies).launch_latency, 1600_ns);
  latencies.memset.value = 0_ns;
  EXPECT_EQ(front_end(latencies).doorbell_latency, 1_ps) << "a way takes time";
}

TEST(RecordedSystem, TakesTheGapsOfTheRecording) {
  EXPECT_EQ(front_end().stream_gap, 1_us);
  EXPECT_EQ(front_end().graph_gap, 4_us);
  EXPECT_EQ(front_end().event_wait_latency, 1_us) << "as behind a command";
}

TEST(RecordedSystem, TakesTheNodeGapWhereTheRecordingShowsEnoughOfThem) {
  recorded::RecordedLatencies latencies = round_latencies();
  latencies.node_gap.value = 700_ns;
  latencies.node_gap.measured = false;
  EXPECT_EQ(front_end(latencies).graph_node_gap, 500_ns);
  latencies.node_gap.measured = true;
  EXPECT_EQ(front_end(latencies).graph_node_gap, 700_ns);
}

TEST(RecordedSystem, SplitsTheWakeUpIntoCompletionAndTheRest) {
  const system::SystemSpec system = replay::recorded_system(round_system(), round_latencies());
  EXPECT_EQ(system.gpu.front_end.completion_latency, 1_us);
  EXPECT_EQ(system.host.wake_latency, 4_us);
}

TEST(RecordedSystem, ModelsNoLockThatTheRecordedCostsContainAlready) {
  system::SystemSpec profile = round_system();
  profile.host.driver_lock_time = 3_us;
  profile.host.lock_handover = 1_us;
  const system::SystemSpec system = replay::recorded_system(profile, round_latencies());
  EXPECT_EQ(system.host.driver_lock_time, 0_us);
  EXPECT_EQ(system.host.lock_handover, 0_us);
}

}  // namespace
}  // namespace septet::test
