// The front end alone, without an engine: it is told what happens and asked what follows. A launch
// starts 2 us after its arrival, and 1 us after the end of the command before it in its stream.
#include "models/gpu/front_end/front_end.hpp"

#include <gtest/gtest.h>

#include "models/program/builder.hpp"

namespace septet::test {
namespace {

using gpu::Command;
using gpu::FrontEnd;
using gpu::ProcessTurns;
using Kind = gpu::FrontEnd::StepKind;

constexpr std::uint32_t kWork = 70;  // what a test calls the work of a launch

gpu::FrontEndSpec spec() {
  gpu::FrontEndSpec spec;
  spec.launch_latency = 2_us;
  spec.copy_launch_latency = 3_us;
  spec.graph_launch_latency = 4_us;
  spec.stream_gap = 1_us;
  spec.triggered_stream_gap = 500_ns;
  spec.trigger_latency = 250_ns;
  spec.record_latency = 1_us;
  spec.engine_hop = 5_us;
  return spec;
}

Instant at(Duration time) { return Instant() + time; }

// The front end of the GPU of a program with one thread. Its calls arrive one after the other.
class Bench {
 public:
  explicit Bench(program::ProgramBuilder& builder, std::uint32_t connections = 8)
      : program_(builder.take()), setup_{program_, spec_, connections, {}} {}

  // The thread's next call arrives. Returns the command's number.
  std::uint32_t arrive(Duration now, std::uint16_t generation = 0) {
    engine::Event event;
    event.a = program::pack({0, calls_++});
    event.tag = generation;
    return front_end.arrive(event, at(now));
  }
  // What follows where this stream may be able to go on, up to the end.
  std::vector<gpu::FrontEnd::Step> steps(std::uint32_t stream, Duration now,
                                         records::WaitCause cause = records::WaitCause::kSubmission,
                                         const gpu::ProcessTurns* others = nullptr) {
    const gpu::ProcessTurns& who = others == nullptr ? turns : *others;
    std::vector<gpu::FrontEnd::Step> out;
    EXPECT_TRUE(front_end.consider({stream, cause, Duration(0)}));
    for (auto step = front_end.next(who, at(now)); step.kind != Kind::kNone;
         step = front_end.next(who, at(now))) {
      out.push_back(step);
      const std::uint32_t of = front_end.command(step.command).stream;
      if (step.kind == Kind::kLaunch) front_end.runs(of, kWork + step.command);
      if (step.kind == Kind::kPass || step.kind == Kind::kRecord) front_end.leave(step.command);
    }
    return out;
  }
  // The next call arrives and is the only one that starts at once; when it is ready.
  Duration launched(std::uint32_t stream, Duration now) {
    const std::uint32_t command = arrive(now);
    const auto done = steps(stream, now);
    EXPECT_EQ(done.size(), 1U);
    EXPECT_EQ(done.at(0).command, command);
    return ready(command);
  }
  void complete(std::uint32_t command, Duration now) {
    const std::uint32_t stream = front_end.command(command).stream;
    front_end.leave(command);
    front_end.stream_ended(stream, false, Duration(0), at(now));
  }
  Duration ready(std::uint32_t command) const {
    return front_end.command(command).ready - Instant();
  }

 private:
  const gpu::FrontEndSpec spec_ = spec();
  const gpu::TimeSliceSpec slices_;
  const program::Program program_;
  const program::ProgramLayout layout_ = lay_out(program_);
  const gpu::FrontEnd::Setup setup_;
  std::uint64_t calls_ = 0;

 public:
  gpu::FrontEnd front_end{setup_, layout_.devices[0]};
  gpu::ProcessTurns turns{slices_, 1, false};
};

// Two streams, two events, a kernel.
struct Maker : program::ProgramBuilder {
  Maker() {
    kernel(program::spin_kernel(1, 32, 1_us));
    stream();
    stream();
    event();
    event();
    thread();
  }
};

TEST(FrontEnd, ALaunchThatNothingHoldsUpStartsItsLatencyAfterItsArrival) {
  Maker maker;
  maker.launch(0, 0);
  EXPECT_EQ(Bench(maker).launched(0, 10_us), 12_us);
}

TEST(FrontEnd, CopiesBetweenHostAndDeviceHaveALatencyOfTheirOwnAndNoConnection) {
  Maker maker;
  maker.copy(0, program::CopyDirection::kHostToDevice, 1_KiB);
  Bench bench(maker);
  EXPECT_EQ(bench.launched(0, 10_us), 13_us);
  EXPECT_EQ(bench.front_end.stream(0).hold.connection, kNone);
}

TEST(FrontEnd, TheNextCommandOfAStreamFollowsTheEndAfterAGap) {
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 0);
  Bench bench(maker);
  bench.launched(0, 0_us);
  const std::uint32_t second = bench.arrive(1_us);
  EXPECT_TRUE(bench.steps(0, 1_us).empty()) << "the first still runs";
  bench.complete(0, 20_us);
  EXPECT_EQ(bench.steps(0, 20_us, records::WaitCause::kStreamOrder).size(), 1U);
  EXPECT_EQ(bench.ready(second), 21_us);
  EXPECT_EQ(bench.front_end.command(second).cause, records::WaitCause::kStreamOrder);
}

TEST(FrontEnd, AKernelBehindACopyHopsFromItsEngine) {
  Maker maker;
  maker.copy(0, program::CopyDirection::kHostToDevice, 1_KiB);
  maker.launch(0, 0);
  Bench bench(maker);
  bench.launched(0, 0_us);
  bench.arrive(1_us);
  bench.complete(0, 20_us);
  bench.steps(0, 20_us, records::WaitCause::kStreamOrder);
  EXPECT_EQ(bench.ready(1), 26_us);  // 20 + 1 + 5
}

TEST(FrontEnd, ALaunchThatLeavesItsConnectionLetsTheOneBehindItGoOn) {
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 1);
  Bench bench(maker, 1);
  bench.arrive(0_us);
  bench.arrive(5_us);
  EXPECT_TRUE(bench.steps(1, 5_us).empty()) << "stream 0's stands before it";
  const auto done = bench.steps(0, 6_us);
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].command, 0U);
  EXPECT_EQ(done[1].command, 1U);
  EXPECT_EQ(bench.ready(1), 7_us);
}

TEST(FrontEnd, AStreamWaitsForTheRecordThatItsWaitNames) {
  Maker maker;
  maker.wait(0, 1);
  maker.launch(0, 1);
  Bench bench(maker);
  bench.arrive(0_us, 1);
  bench.arrive(0_us);
  EXPECT_TRUE(bench.steps(1, 0_us).empty());
  EXPECT_EQ(bench.front_end.events().record(0, 1), std::vector<std::uint32_t>{1});
  const auto done = bench.steps(1, 30_us, records::WaitCause::kEvent);
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].kind, Kind::kPass);
  EXPECT_EQ(done[1].kind, Kind::kLaunch);
  EXPECT_EQ(bench.ready(done[1].command), 30_us);
  EXPECT_EQ(bench.front_end.command(done[1].command).cause, records::WaitCause::kEvent);
}

TEST(FrontEnd, ARecordIsSeenALatencyAfterItsArrivalAndBehindTheWorkBeforeIt) {
  Maker maker;
  maker.record(0, 0);
  maker.launch(0, 0);
  maker.record(1, 0);
  Bench bench(maker);
  bench.arrive(10_us, 1);
  const auto early = bench.steps(0, 10_us);
  ASSERT_EQ(early.size(), 1U);
  EXPECT_EQ(early[0].kind, Kind::kLookAgain);
  EXPECT_EQ(early[0].at, at(11_us));
  const auto seen = bench.steps(0, 11_us);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].kind, Kind::kRecord);
  EXPECT_EQ(bench.launched(0, 12_us), 14_us);
  bench.arrive(13_us, 1);
  EXPECT_TRUE(bench.steps(0, 14_us).empty());
}

TEST(FrontEnd, AProgrammaticLaunchStartsOnceTheKernelBeforeItHasTriggered) {
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 0, true);
  Bench bench(maker);
  const std::uint32_t first = 0;
  bench.launched(0, 0_us);
  const std::uint32_t second = bench.arrive(1_us);
  EXPECT_TRUE(bench.steps(0, 1_us).empty());
  EXPECT_FALSE(bench.front_end.trigger(0, kWork + 9)) << "not the stream's last launch";
  EXPECT_TRUE(bench.front_end.trigger(0, kWork + first));
  EXPECT_EQ(bench.steps(0, 6_us, records::WaitCause::kStreamOrder).size(), 1U);
  EXPECT_EQ(bench.ready(second), 6_us + 250_ns);
  EXPECT_EQ(bench.front_end.stream(0).launched, 2U);
  bench.front_end.leave(first);
  EXPECT_EQ(bench.front_end.started_early(0), kWork + second);
  bench.front_end.leave(second);
  EXPECT_EQ(bench.front_end.started_early(0), kNone);
}

TEST(FrontEnd, WhatFollowsATriggeredKernelHasAShorterGap) {
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 0);
  Bench bench(maker);
  bench.launched(0, 0_us);
  bench.arrive(1_us);
  bench.front_end.leave(0);
  bench.front_end.stream_ended(0, true, 3_us, at(20_us));
  bench.steps(0, 20_us, records::WaitCause::kStreamOrder);
  EXPECT_EQ(bench.ready(1), 23_us + 500_ns) << "and 3 us more, as asked for";
}

TEST(FrontEnd, AStreamOfAProcessWithoutTheGpuWaitsForItsTurn) {
  Maker maker;
  maker.launch(0, 0);
  Bench bench(maker);
  const gpu::TimeSliceSpec slices;
  gpu::ProcessTurns two(slices, 2, false);
  bench.arrive(0_us);
  EXPECT_TRUE(bench.steps(0, 0_us, records::WaitCause::kSubmission, &two).empty());
  two.switch_in(0, at(50_us));
  EXPECT_EQ(bench.steps(0, 50_us, records::WaitCause::kProcess, &two).size(), 1U);
  EXPECT_EQ(bench.ready(0), 50_us);
  EXPECT_EQ(bench.front_end.command(0).cause, records::WaitCause::kProcess);
}

TEST(FrontEnd, WhatIsConsideredMeanwhileIsLeftToWhoeverAsksAlready) {
  Maker maker;
  maker.launch(0, 0);
  maker.launch(0, 1);
  Bench bench(maker);
  bench.arrive(0_us);
  bench.arrive(0_us);
  EXPECT_TRUE(bench.front_end.consider({0, records::WaitCause::kSubmission, Duration(0)}));
  EXPECT_FALSE(bench.front_end.consider({1, records::WaitCause::kSubmission, Duration(0)}));
  EXPECT_EQ(bench.front_end.next(bench.turns, at(0_us)).command, 0U);
  EXPECT_EQ(bench.front_end.next(bench.turns, at(0_us)).command, 1U);
  EXPECT_EQ(bench.front_end.next(bench.turns, at(0_us)).kind, Kind::kNone);
  EXPECT_TRUE(bench.front_end.consider({0, records::WaitCause::kSubmission, Duration(0)}));
}

}  // namespace
}  // namespace septet::test
