// How the threads of a process make calls and submit commands, on a system of round numbers.
#include "models/host/host_process.hpp"

#include <gtest/gtest.h>

#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// One thread, two streams, a kernel of no time and one of 10 us.
struct Maker : program::ProgramBuilder {
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::uint32_t kLong = 1;

  Maker() {
    kernel(program::spin_kernel(1, 32, 0_us));
    kernel(program::spin_kernel(1, 32, 10_us));
    stream();
    stream();
    thread();
  }
};

Duration length(const records::ApiCallRecord& call) { return call.end - call.start; }

TEST(HostProcess, MakesOneCallAfterTheOther) {
  Maker maker;
  maker.work(3_us);
  maker.launch(Maker::kEmpty, 0);
  maker.work(2_us);
  maker.launch(Maker::kEmpty, 0);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.call_start(0, 0), 3_us);
  EXPECT_EQ(run.call_end(0, 0), 7_us);
  EXPECT_EQ(run.call_start(0, 1), 9_us);
  EXPECT_EQ(run.call_end(0, 1), 13_us);
}

TEST(HostProcess, ACommandLeavesAtTheEndOfItsCall) {
  Maker maker;
  maker.work(3_us);
  maker.launch(Maker::kLong, 0);
  const analysis::GpuWork work = TimedRun(maker.take()).works(0).at(0);
  EXPECT_EQ(work.issued - Instant(), 3_us);
  EXPECT_EQ(work.arrived - Instant(), 8_us);  // 3 + 4 + 1
}

TEST(HostProcess, ACommandLeavesEarlierWhereTheProgramSaysSo) {
  Maker maker;
  maker.launch(Maker::kLong, 0);
  program::Program program = maker.take();
  program.threads[0].calls[0].cost = 6_us;
  program.threads[0].calls[0].submit = 2_us;
  const TimedRun run(program);
  EXPECT_EQ(run.call_end(0, 0), 6_us);
  EXPECT_EQ(run.works(0).at(0).arrived - Instant(), 3_us);  // 2 + 1
}

TEST(HostProcess, ThreadsRunAtTheSameTime) {
  Maker maker;
  maker.launch(Maker::kEmpty, 0);
  maker.thread();
  maker.launch(Maker::kEmpty, 1);
  const TimedRun run(maker.take());
  EXPECT_EQ(run.call_end(0, 0), 4_us);
  EXPECT_EQ(run.call_end(1, 0), 4_us);
}

TEST(HostProcess, CallsWithoutCostAreShownAsWell) {
  Maker maker;
  maker.launch(Maker::kEmpty, 0);
  program::Program program = maker.take();
  program.strings = {"step"};
  append(program, program::CallKind::kMarker, 0);
  const TimedRun run(program);
  EXPECT_EQ(run.call_start(0, 1), 4_us);
  EXPECT_EQ(run.call_end(0, 1), 4_us);
}

TEST(FirstSubmission, AfterASynchronisationCostsMore) {
  system::SystemSpec system = round_system();
  system.host.first_launch_extra = 2_us;
  Maker maker;
  maker.launch(Maker::kEmpty, 0);
  maker.launch(Maker::kEmpty, 0);
  maker.synchronize_device();
  maker.launch(Maker::kEmpty, 0);
  maker.launch(Maker::kEmpty, 0);
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(length(run.call(0, 0)), 6_us);
  EXPECT_EQ(length(run.call(0, 1)), 4_us);
  EXPECT_EQ(length(run.call(0, 3)), 6_us);
  EXPECT_EQ(length(run.call(0, 4)), 4_us);
}

TEST(FirstSubmission, IsNotARecordOrAWait) {
  system::SystemSpec system = round_system();
  system.host.first_launch_extra = 2_us;
  system.host.record_cost = 1_us;
  system.host.wait_cost = 1_us;
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.record(event, 0);
  maker.wait(event, 1);
  maker.launch(Maker::kEmpty, 0);
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(length(run.call(0, 0)), 1_us);
  EXPECT_EQ(length(run.call(0, 1)), 1_us);
  EXPECT_EQ(length(run.call(0, 2)), 6_us);
}

TEST(FirstSubmission, CostsEvenMoreIfAKernelCopies) {
  system::SystemSpec system = round_system();
  system.gpu.copy.device_to_device = 1_GBps;
  system.gpu.copy.host_to_device = 1_GBps;
  system.host.first_launch_extra = 2_us;
  system.host.first_device_copy_extra = 5_us;
  system.host.device_copy_cost = 3_us;
  system.host.copy_cost = 3_us;
  const auto first_and_second = [&](program::CopyDirection direction) {
    Maker maker;
    maker.copy(0, direction, 1_KiB);
    maker.copy(0, direction, 1_KiB);
    const TimedRun run(maker.take(), system);
    return std::pair{length(run.call(0, 0)), length(run.call(0, 1))};
  };
  EXPECT_EQ(first_and_second(program::CopyDirection::kDeviceToDevice), std::pair(10_us, 3_us));
  EXPECT_EQ(first_and_second(program::CopyDirection::kHostToDevice), std::pair(5_us, 3_us));
}

TEST(FirstSubmission, CostsWhatTheProgramSaysIfItDoes) {
  system::SystemSpec system = round_system();
  system.host.first_launch_extra = 2_us;
  system.host.stream_switch_extra = 2_us;
  Maker maker;
  maker.launch(Maker::kEmpty, 0);
  maker.launch(Maker::kEmpty, 1);
  program::Program program = maker.take();
  for (program::Call& call : program.threads[0].calls) call.cost = 5_us;
  const TimedRun run(program, system);
  EXPECT_EQ(run.call_end(0, 0), 5_us);
  EXPECT_EQ(run.call_end(0, 1), 10_us);
}

TEST(StreamSwitch, CostsMoreThanStayingOnAStream) {
  system::SystemSpec system = round_system();
  system.host.stream_switch_extra = 1_us;
  Maker maker;
  for (const std::uint32_t stream : {0U, 0U, 1U, 0U}) maker.launch(Maker::kEmpty, stream);
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(length(run.call(0, 0)), 4_us) << "the first stream is no switch";
  EXPECT_EQ(length(run.call(0, 1)), 4_us);
  EXPECT_EQ(length(run.call(0, 2)), 5_us);
  EXPECT_EQ(length(run.call(0, 3)), 5_us);
}

TEST(StreamSwitch, IsCountedForEachThread) {
  system::SystemSpec system = round_system();
  system.host.stream_switch_extra = 1_us;
  Maker maker;
  maker.launch(Maker::kEmpty, 0);
  maker.launch(Maker::kEmpty, 0);
  maker.thread();
  maker.launch(Maker::kEmpty, 1);
  maker.launch(Maker::kEmpty, 1);
  const TimedRun run(maker.take(), system);
  EXPECT_EQ(run.call_end(0, 1), 8_us);
  EXPECT_EQ(run.call_end(1, 1), 8_us);
}

// Launches 2 us; upload 5 us and 1 us for each of 3 nodes.
system::SystemSpec uploading_system() {
  system::SystemSpec system = round_system();
  system.host.graph_instantiate_cost = 20_us;
  system.host.graph_upload_cost = 5_us;
  system.host.graph_upload_cost_per_node = 1_us;
  return system;
}

TEST(FirstGraphLaunch, AfterInstantiationUploadsTheGraph) {
  Maker maker;
  maker.graph(program::chain_graph(Maker::kEmpty, 3));
  maker.instantiate_graph(0);
  maker.launch_graph(0, 0);
  maker.launch_graph(0, 0);
  const TimedRun run(maker.take(), uploading_system());
  EXPECT_EQ(length(run.call(0, 0)), 20_us);
  EXPECT_EQ(length(run.call(0, 1)), 10_us);  // 2 + 5 + 3
  EXPECT_EQ(length(run.call(0, 2)), 2_us);
}

TEST(FirstGraphLaunch, FindsAGraphThatWasUploadedBefore) {
  Maker maker;
  maker.graph(program::chain_graph(Maker::kEmpty, 3));
  maker.instantiate_graph(0);
  maker.upload_graph(0, 0);
  maker.launch_graph(0, 0);
  const TimedRun run(maker.take(), uploading_system());
  EXPECT_EQ(length(run.call(0, 1)), 8_us);  // 5 + 3
  EXPECT_EQ(length(run.call(0, 2)), 2_us);
}

TEST(FirstGraphLaunch, OfAGraphInstantiatedBeforeTheProgramBeganUploadsNothing) {
  Maker maker;
  maker.graph(program::chain_graph(Maker::kEmpty, 3));
  maker.launch_graph(0, 0);
  EXPECT_EQ(length(TimedRun(maker.take(), uploading_system()).call(0, 0)), 2_us);
}

TEST(FirstGraphLaunch, HappensAgainAfterEachInstantiation) {
  Maker maker;
  maker.graph(program::chain_graph(Maker::kEmpty, 3));
  for (int turn = 0; turn < 2; ++turn) {
    maker.instantiate_graph(0);
    maker.launch_graph(0, 0);
  }
  const TimedRun run(maker.take(), uploading_system());
  EXPECT_EQ(length(run.call(0, 1)), 10_us);
  EXPECT_EQ(length(run.call(0, 3)), 10_us);
}

// A ring of two: kernel 0 starts at 7 and ends at 17, which the host sees at 18.
system::SystemSpec short_ring() {
  system::SystemSpec system = round_system();
  system.host.pending_launches_max = 2;
  return system;
}

TEST(Ring, BlocksTheCallerWhileItIsFull) {
  Maker maker;
  for (int l = 0; l < 3; ++l) maker.launch(Maker::kLong, 0);
  const records::ApiCallRecord third = TimedRun(maker.take(), short_ring()).call(0, 2);
  EXPECT_EQ(third.start - Instant(), 8_us);
  EXPECT_EQ(third.waited, 10_us);           // until 18
  EXPECT_EQ(third.end - Instant(), 22_us);  // then its own 4
}

TEST(Ring, IsOneForEachStream) {
  Maker maker;
  for (const std::uint32_t stream : {0U, 1U, 0U, 1U}) maker.launch(Maker::kLong, stream);
  const TimedRun run(maker.take(), short_ring());
  EXPECT_EQ(run.call_end(0, 3), 16_us);  // 4 x 4
}

TEST(Ring, HoldsRecordsAsWell) {
  Maker maker;
  const std::uint32_t event = maker.event();
  maker.launch(Maker::kLong, 0);
  maker.record(event, 0);
  maker.launch(Maker::kLong, 0);
  // The third command finds two: it waits for the kernel, from 4 to 18.
  EXPECT_EQ(TimedRun(maker.take(), short_ring()).call(0, 2).waited, 14_us);
}

TEST(Ring, LetsThreadsInFirstComeFirstServed) {
  system::SystemSpec system = round_system();
  system.host.pending_launches_max = 1;
  Maker maker;
  maker.launch(Maker::kLong, 0);  // thread 0: seen to be complete at 18
  maker.thread();
  maker.work(6_us);
  maker.launch(Maker::kLong, 0);
  maker.thread();
  maker.work(5_us);
  maker.launch(Maker::kLong, 0);
  const TimedRun run(maker.take(), system);
  // Thread 2 came first: launches from 18 to 22, its kernel runs from 25 to 35, seen at 36.
  EXPECT_EQ(run.call_end(2, 0), 22_us);
  EXPECT_EQ(run.call_end(1, 0), 40_us);
  EXPECT_EQ(run.call(1, 0).waited, 30_us);  // from 6 to 36
}

}  // namespace
}  // namespace septet::test
