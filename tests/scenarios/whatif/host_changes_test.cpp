#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"
#include "scenarios/config/hardware/hardware_fields.hpp"
#include "scenarios/whatif/host_costs.hpp"
#include "tests/scenarios/whatif/recorded_program.hpp"

namespace septet::test {
namespace {

// Three times 6 us of host work and a launch of 4 us of a kernel of 2 us.
program::Program eager_chain() {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.api(Duration(0));  // a run counts from its first call
  for (int k = 0; k < 3; ++k) {
    recorded.host(6_us);
    recorded.launch(0, 0, 4_us, 2_us);
  }
  recorded.synchronize_device();
  return recorded.program;
}

TEST(HostChanges, TheBaselineIsBoundByTheCpu) {
  // 3 x 10 on the CPU; then 3 until the last kernel starts, 2 of work, 2 until the thread goes on.
  EXPECT_EQ(span_of(eager_chain(), ""), 37_us);
}

TEST(HostChanges, SpeedOneChangesNothing) {
  EXPECT_EQ(span_of(eager_chain(), "host-speed=1"), 37_us);
}

TEST(HostChanges, AFasterHostDividesWorkCallsAndWakeUp) {
  // 3 x 5 on the CPU, 3 + 2 as before, 1 + 0.5 back.
  EXPECT_EQ(span_of(eager_chain(), "host-speed=2"), 21'500_ns);
}

TEST(HostChanges, ASlowerHostIsAllowed) {
  // 3 x 20, 3 + 2, 1 + 2
  EXPECT_EQ(span_of(eager_chain(), "host-speed=0.5"), 68_us);
}

TEST(HostChanges, HostSpeedKnowsEveryTimeAndRateOfAHost) {
  std::size_t times = 0;
  std::size_t rates = 0;
  for (const config::FieldText& field : config::host_fields()) {
    times += field.type == config::Convert<Duration>::kType ? 1U : 0U;
    rates += field.type == config::Convert<ByteRate>::kType ? 1U : 0U;
  }
  EXPECT_EQ(whatif::host_times().size(), times);
  EXPECT_EQ(whatif::host_rates().size(), rates);
}

TEST(HostChanges, LaunchCostReplacesTheCostOfEachKernelLaunch) {
  // 3 x (6 + 1), 3 + 2 + 2
  EXPECT_EQ(span_of(eager_chain(), "launch-cost=1 us"), 28_us);
}

TEST(HostChanges, LaunchCostCoversAnApiCallThatOthersInterrupted) {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.api(3_us).correlation = 5;  // first part of the launch call
  recorded.api(2_us).correlation = 6;  // another call inside it
  recorded.launch(0, 0, 4_us, 2_us).correlation = 5;
  recorded.synchronize_device();
  EXPECT_EQ(span_of(recorded.program, ""), 16_us);                  // 9 on the CPU, 3 + 2 + 2
  EXPECT_EQ(span_of(recorded.program, "launch-cost=1 us"), 10_us);  // 2 + 1, 3 + 2 + 2
}

TEST(HostChanges, LaunchCostNeedsAUnit) {
  EXPECT_EQ(error_of(eager_chain(), "launch-cost=3"),
            "what-if launch-cost: got '3', wanted a duration with its unit, such as \"2.5 us\"");
}

TEST(HostChanges, CallsThatCostNothingLeaveTheCpusOwnWorkAndTheGaps) {
  // 3 x 6 on the CPU, 1 ps to the GPU, 2 of work, 2 back.
  EXPECT_EQ(span_of(eager_chain(), "ideal-launch=calls"), 22_us + 1_ps);
}

TEST(HostChanges, TheIdealIsTheWorkOfTheGpuAndTheWayBack) {
  // 3 x 2 of work without gaps, 2 back.
  EXPECT_EQ(span_of(eager_chain(), "ideal-launch"), 8_us + 1_ps);
}

TEST(HostChanges, TheIdealKeepsTheOrderInWhichThreadsSubmitted) {
  RecordedProgram recorded;
  const std::uint32_t late = recorded.kernel("late");
  const std::uint32_t early = recorded.kernel("early");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.thread();
  recorded.host(20_us);
  recorded.launch(late, 0, 4_us, 5_us);
  recorded.use_thread(1);
  recorded.host(10_us);
  recorded.launch(early, 0, 4_us, 2_us);
  const analysis::RunRows rows = rows_of(changed(recorded.program, "ideal-launch"));
  ASSERT_EQ(rows.works.size(), 2U);
  EXPECT_EQ(rows.works[0].end - rows.works[0].start, 2_us);
  EXPECT_EQ(rows.works[1].start, rows.works[0].end);
}

TEST(HostChanges, TheIdealLetsASynchronisationWaitForNoMoreThanItDid) {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.thread();
  recorded.launch(0, 0, 4_us, 5_us);
  recorded.synchronize_stream(0);  // from 4 to 14: finds the first kernel only
  recorded.launch(0, 0, 4_us, 5_us);
  recorded.use_thread(1);
  recorded.host(10_us);
  recorded.launch(0, 0, 4_us, 100_us);  // at 14, the third kernel is submitted at 18
  const analysis::RunRows rows = rows_of(changed(recorded.program, "ideal-launch"));
  ASSERT_EQ(rows.works.size(), 3U);
  ASSERT_EQ(rows.calls[1].waited, 6_us + 1_ps);  // the first kernel and its completion
}

// Three recorded kernels of 1 ms on each of three streams, stream by stream.
program::Program depth_first() {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.thread();
  for (const char* name : {"stream 7", "stream 13", "stream 20"}) {
    const std::uint32_t stream = recorded.stream(name);
    for (int k = 0; k < 3; ++k) recorded.launch(0, stream, 4_us, 1_ms);
  }
  recorded.synchronize_device();
  return recorded.program;
}

TEST(HostChanges, TheDefaultNumberOfConnectionsChangesNothing) {
  // The last stream's first launch ends at 28: 3 + 3 x 1000 + 2 gaps of 1, 2 back.
  EXPECT_EQ(span_of(depth_first(), ""), 3035_us);
  EXPECT_EQ(span_of(depth_first(), "connections=8"), 3035_us);
}

TEST(HostChanges, OneConnectionLetsOnlyTheEndsOfStreamsOverlap) {
  // A stream's first kernel starts when the last one of the stream before leaves the connection, at
  // the end of the second one: 7 + 2 x 1000 + 1, then 2 x (1000 + 1 + 1000), then the last kernel
  // after 1 us, 2 back.
  EXPECT_EQ(span_of(depth_first(), "connections=1"), 7013_us);
}

TEST(HostChanges, ConnectionsAreChecked) {
  for (const char* value : {"0", "33", "8.5", "many"}) {
    EXPECT_EQ(error_of(depth_first(), std::string("connections=") + value),
              std::string("what-if connections: got '") + value +
                  "', wanted a whole number from 1 to 32");
  }
}

// A kernel of 10 us on each of two GPUs. A launch costs the second one's host 8 us, then comes 1 us
// to the GPU, 6 until the start.
whatif::WhatIfState two_kinds(const std::string& what_if) {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(1, 32, 10_us));
  for (std::uint32_t d = 0; d < 2; ++d) {
    builder.stream(0, d, d);
    builder.thread(d);
    builder.launch(0, d);
    builder.synchronize_device(d);
  }
  system::SystemSpec system = round_system();
  system.network.gpus_per_node = 1;
  host::OtherGpus other{
      .first = 1, .count = 1, .gpu = system.gpu, .host = system.host, .where = {}};
  other.gpu.front_end.launch_latency = 6_us;
  other.gpu.front_end.max_connections = 16;
  other.host.launch_cost = 8_us;
  system.others.push_back(other);
  whatif::WhatIfState state{builder.take(), system, system, {}, {}};
  if (!what_if.empty()) apply_what_if(what_if, state);
  return state;
}

std::string error_of_two_kinds(const std::string& what_if) {
  try {
    two_kinds(what_if);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

// When the kernel of the second GPU starts.
Duration second_start(const std::string& what_if) {
  for (const analysis::GpuWork& work : rows_of(two_kinds(what_if)).works) {
    if (work.device == 1) return work.start - Instant();
  }
  return Duration(-1);
}

TEST(HostChanges, AreOfEveryKindOfGpuAndHost) {
  EXPECT_EQ(second_start(""), 8_us + 1_us + 6_us);
  EXPECT_EQ(second_start("host-speed=2"), 4_us + 1_us + 6_us);
  EXPECT_EQ(second_start("launch-cost=1 us"), 1_us + 1_us + 6_us);
  EXPECT_EQ(second_start("ideal-launch=calls"), 1_ps);
  EXPECT_EQ(second_start("ideal-launch"), 1_ps);
}

TEST(HostChanges, ConnectionsAreThoseThatEveryKindHas) {
  EXPECT_EQ(two_kinds("connections=16").system.connections, 16U);
  EXPECT_EQ(two_kinds("ideal-launch").system.connections, 16U);
  EXPECT_EQ(error_of_two_kinds("connections=17"),
            "what-if connections: got '17', wanted a whole number from 1 to 16");
}

TEST(HostChanges, AnotherGpuInPlaceOfSeveralKindsIsRefused) {
  EXPECT_EQ(error_of_two_kinds("gpu=h100-sxm"),
            "what-if gpu: the cluster has GPUs of several kinds (hardware.other), wanted one kind; "
            "change hardware.gpu or hardware.other in a [[what_if]] instead");
}

}  // namespace
}  // namespace septet::test
