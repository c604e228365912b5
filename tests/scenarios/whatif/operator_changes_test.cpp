// What-ifs about operators. The program: `mm` takes the CPU 2 us, launches a kernel of 10 us in 4
// us; 3 us later `add` does the same. A kernel starts 3 us after its launch, or 1 us after the one
// before.
#include <gtest/gtest.h>

#include "scenarios/whatif/scopes.hpp"
#include "tests/scenarios/whatif/recorded_program.hpp"

namespace septet::test {
namespace {

class Operators : public RecordedProgram {
 public:
  Operators() {
    kernel("gemm");
    stream("stream 7");
    thread();
  }

  void begin(const std::string& name) { call({.what = program::Scope{string(name)}}, Duration(0)); }
  void end() { call({.what = program::Scope{}}, Duration(0)); }

  void launching(const std::string& name) {
    begin(name);
    host(2_us);
    launch(0, 0, 4_us, 10_us);
    end();
  }
};

program::Program two_operators() {
  Operators made;
  made.launching("aten::mm");
  made.host(3_us);
  made.launching("aten::add");
  made.synchronize_device();
  return made.program;
}

// The first launch begins at 2 and its kernel at 9; the second kernel at 20; back at 32.
constexpr Duration kTwo = 30_us;

std::size_t launches(const program::Program& program) {
  std::size_t count = 0;
  for (const program::HostThread& thread : program.threads) {
    for (const program::Call& call : thread.calls) count += is_launch(call.kind()) ? 1 : 0;
  }
  return count;
}

TEST(OperatorChanges, ScopesCostNothing) { EXPECT_EQ(span_of(two_operators(), ""), kTwo); }

TEST(OperatorChanges, ScopesNest) {
  Operators made;
  made.begin("step");
  made.launching("aten::mm");
  made.end();
  made.begin("open");
  const auto scopes = whatif::scopes_of(made.program.threads[0]);
  ASSERT_EQ(scopes.size(), 3U);
  EXPECT_EQ(scopes[1].parent, 0U);
  EXPECT_EQ(scopes[0].end, 5U);
  EXPECT_EQ(scopes[2].end, 6U) << "one that stays open ends with the thread";
}

TEST(OperatorChanges, ARemovedOperatorTakesItsLaunchAndTheTimeBeforeItAlong) {
  EXPECT_EQ(span_of(two_operators(), "op=^aten::add$:remove"), 19_us);  // from 2; back at 21
  EXPECT_EQ(span_of(two_operators(), "op=mm:remove"), 19_us);           // from 5; back at 24
}

TEST(OperatorChanges, MoreThanTenMicrosecondsBeforeAnOperatorAreOtherWork) {
  Operators made;
  made.launching("aten::mm");
  made.host(50_us);
  made.launching("aten::add");
  made.launching("aten::mul");
  made.synchronize_device();
  // Without `add`: 40 of the 50 us stay; mul's launch begins at 2 + 4 + 40 + 2 = 48, back at 67.
  EXPECT_EQ(span_of(made.program, "op=add:remove"), 65_us);
}

TEST(OperatorChanges, EveryNthOccurrenceStays) {
  Operators made;
  for (int i = 0; i < 5; ++i) made.launching("optimizer");
  EXPECT_EQ(launches(changed(made.program, "op=optimizer:every=2").program), 2U);
  EXPECT_EQ(launches(changed(made.program, "op=optimizer:every=1").program), 5U);
}

TEST(OperatorChanges, CpuWorkInAnOperatorIsScaledOrRemoved) {
  EXPECT_EQ(span_of(two_operators(), "cpu=add:scale=6"), 38_us);
  EXPECT_EQ(span_of(two_operators(), "cpu=aten:remove"), 30_us);  // from 0: kernels at 7 and 18
}

TEST(OperatorChanges, MovedWorkRunsOnAThreadOfItsOwn) {
  Operators made;
  for (int step = 0; step < 2; ++step) {
    made.begin("preprocess");
    made.host(100_us);
    made.end();
    made.launching("aten::mm");
  }
  made.synchronize_device();
  const whatif::WhatIfState state = changed(made.program, "cpu=preprocess:move-to-thread");
  EXPECT_EQ(state.program.threads.size(), 2U);
  // The second step awaits the first item, done at 100: host 2, launch 4, start 3, kernel 10,
  // back 2.
  EXPECT_EQ(rows_of(state).last - Instant(), 121_us);
}

TEST(OperatorChanges, SynchronisationsAreRemovedByNameOrOperator) {
  Operators made;
  made.launching("aten::mm");
  made.begin("aten::item");
  made.synchronize_stream(0);
  made.end();
  made.launching("aten::add");
  made.synchronize_device();
  EXPECT_EQ(changed(made.program, "remove-sync").notes[0], "2 synchronisations removed");
  EXPECT_EQ(changed(made.program, "remove-sync=item").notes[0], "1 synchronisations removed");
  EXPECT_TRUE(error_of(made.program, "remove-sync=barrier")
                  .starts_with("what-if remove-sync: no synchronisation is called by that name"));
}

TEST(OperatorChanges, LongPausesAreRemoved) {
  Operators made;
  made.launching("aten::mm");
  made.host(5'000_us);
  made.launching("aten::add");
  EXPECT_EQ(span_of(made.program, ""), 5'023_us);  // from 2; the second kernel ends at 5,025
  EXPECT_EQ(span_of(made.program, "pauses=1 ms"), 28_us);  // it starts at 20, behind the first
}

TEST(OperatorChanges, OperatorsInARowBecomeOne) {
  // One kernel of 10 us, launched at 2: back at 21.
  const whatif::WhatIfState state = changed(two_operators(), "fuse-ops=aten:scale=0.5");
  EXPECT_EQ(rows_of(state).span(), 19_us);
  EXPECT_EQ(launches(state.program), 1U);
}

TEST(OperatorChanges, OperatorsInsideAnAnnotationBecomeOne) {
  Operators made;
  made.begin("Optimizer.step");
  made.launching("aten::mul");
  made.host(3_us);
  made.launching("aten::add");
  made.end();
  made.synchronize_device();
  EXPECT_EQ(span_of(made.program, "fuse-ops=Optimizer:scale=0.5"), 19_us);
}

TEST(OperatorChanges, AnOperatorBetweenOthersKeepsThemApart) {
  Operators made;
  made.launching("aten::mul");
  made.launching("aten::linear");
  made.launching("aten::mul");
  EXPECT_TRUE(
      error_of(made.program, "fuse-ops=mul").starts_with("what-if fuse-ops: no two kernels"));
}

TEST(OperatorChanges, TheProfilersCostsArePaidBack) {
  whatif::WhatIfState state = changed(two_operators(), "");
  state.profiler = {.call = 1_us, .op = 500_ns};
  apply_what_if("unprofiled", state);
  // Works of 1.5 us, launches of 3: kernels at 7.5 and 18.5, back at 30.5; from 1.5.
  EXPECT_EQ(rows_of(state).span(), 29_us);
  EXPECT_FALSE(state.profiler.any());
}

TEST(OperatorChanges, UnknownProfilersAndOperatorsAreErrors) {
  EXPECT_EQ(error_of(two_operators(), "unprofiled"),
            "what-if unprofiled: the costs of this recording's profiler are not known");
  EXPECT_EQ(error_of(two_operators(), "op=conv:remove"),
            "what-if op: 'conv' matches no operator or annotation; there are 'aten::add', "
            "'aten::mm'");
  EXPECT_EQ(error_of(two_operators(), "op=mm"),
            "what-if op: got 'mm', wanted REGEX:remove or REGEX:every=N");
}

TEST(CopyChanges, APinnedCopyDoesNotBlockAndNeedsNoSynchronisation) {
  Operators made;
  made.begin("aten::copy_");
  program::Call& copy = made.copy(0, "Memcpy HtoD (Pageable -> Device)", 4_us, 50_us);
  program::as<program::Copy>(copy).pinned = false;
  program::as<program::Copy>(copy).blocking = true;
  made.synchronize_stream(0);
  made.end();
  const program::Program pinned = changed(made.program, "copies=HtoD:pinned").program;
  ASSERT_EQ(pinned.threads[0].calls.size(), 3U);
  const auto& changed_copy = program::as<program::Copy>(pinned.threads[0].calls[1]);
  EXPECT_TRUE(changed_copy.pinned);
  EXPECT_FALSE(changed_copy.blocking);
  EXPECT_EQ(changed(made.program, "copies=HtoD:early").program.streams.size(), 2U);
}

TEST(BranchChanges, EachPartRunsOnAStreamOfItsOwn) {
  Operators made;
  for (int i = 0; i < 4; ++i) made.launch(0, 0, 1_us, 50_us);
  made.synchronize_device();
  const whatif::WhatIfState state = changed(made.program, "branches=2");
  EXPECT_EQ(state.program.streams.size(), 3U);
  EXPECT_LT(rows_of(state).span(), 120_us) << "two kernels of 50 us after one another, not four";
  EXPECT_TRUE(
      error_of(made.program, "branches=5").starts_with("what-if branches: no step launches"));
}

TEST(Holds, StayWithTheirCommandInGraphsAndOnOtherStreams) {
  Operators made;
  made.on_stream({.what = program::Hold{30_us}}, 0, Duration(0));
  made.launch(0, 0, 4_us, 10_us);
  made.synchronize_device();
  // Launch 4, start 3, held 30, kernel 10, back 2.
  EXPECT_EQ(span_of(made.program, ""), 49_us);
  EXPECT_EQ(span_of(made.program, "kernel=gemm:scale=2"), 59_us) << "the wait is not scaled";
  EXPECT_EQ(span_of(made.program, "cuda-graphs"), 50_us) << "a graph's launch takes 5 us";
  EXPECT_EQ(span_of(made.program, "streams=/gemm/:new"), 49_us);
}

TEST(Holds, OfUnknownEventsEndWithOneStream) {
  Operators made;
  made.stream("stream 20");
  made.on_stream({.what = program::Hold{30_us, program::HoldReason::kUnknownEvent}}, 1,
                 Duration(0));
  made.launch(0, 1, 4_us, 10_us);
  made.synchronize_device();
  EXPECT_EQ(span_of(made.program, ""), 49_us);
  EXPECT_EQ(span_of(made.program, "one-stream"), 19_us);
}

TEST(CudaGraphs, KeepCpuWorkThatIsNotLaunching) {
  Operators made;
  made.host(1'000_us);
  made.launching("aten::mm");
  made.launching("aten::add");
  made.synchronize_device();
  const whatif::WhatIfState state = changed(made.program, "cuda-graphs");
  EXPECT_EQ(rows_of(state).works.front().issued - Instant(), 1'000_us);
  ASSERT_GE(state.notes.size(), 2U);
  EXPECT_EQ(state.notes[1],
            "1 stretches of CPU work that launch nothing stay: 1000.0 us (each 300 us or more)");
}

}  // namespace
}  // namespace septet::test
