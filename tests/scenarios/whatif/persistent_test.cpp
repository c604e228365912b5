#include <gtest/gtest.h>

#include "tests/scenarios/whatif/recorded_program.hpp"

namespace septet::test {
namespace {

// Three launches of `cost` of kernels of `time`.
RecordedProgram chain(Duration cost, Duration time) {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  for (int k = 0; k < 3; ++k) recorded.launch(0, 0, cost, time);
  recorded.synchronize_device();
  return recorded;
}

// A read takes 2 us, a fence 1 us, a push 0.1 us of the CPU.

TEST(Persistent, ItemsFollowAfterAFenceAndARead) {
  // Launched at 4, running at 7; three times a read, the kernel and a fence; 2 back.
  EXPECT_EQ(span_of(chain(4_us, 10_us).program, "persistent"), 48_us);
  EXPECT_EQ(span_of(chain(4_us, 10_us).program, ""), 41_us);
}

TEST(Persistent, SlowLaunchesCostNothingButTheFirst) {
  // Launched at 20, running at 23; three times 2 + 2 + 1; 2 back.
  EXPECT_EQ(span_of(chain(20_us, 2_us).program, "persistent"), 40_us);
  EXPECT_EQ(span_of(chain(20_us, 2_us).program, ""), 67_us);
}

TEST(Persistent, AnItemThatComesLateIsSeenAtTheNextRead) {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(0, 0, 4_us, 1_us);
  recorded.host(20_us);
  recorded.launch(0, 0, 4_us, 1_us);
  recorded.synchronize_device();
  // First item: running at 7, read until 9, done at 10, fence until 11. Reads from 11 on every 2 us
  // look at host memory in their middle; the item is there at 24.2, so the read from 25 sees it at
  // 27: done at 28, fence until 29, 2 back.
  EXPECT_EQ(span_of(recorded.program, "persistent"), 31_us);
}

TEST(Persistent, KernelsAreShownUnderTheirOwnNames) {
  const whatif::WhatIfState state = changed(chain(4_us, 10_us).program, "persistent");
  const analysis::RunRows rows = rows_of(state);
  ASSERT_EQ(rows.works.size(), 3U);
  for (const analysis::GpuWork& work : rows.works) {
    EXPECT_EQ(work.end - work.start, 10_us);
    EXPECT_EQ(work.name, 0);
  }
  EXPECT_EQ(rows.works[1].start - rows.works[0].end, 3_us);
}

TEST(Persistent, ACopyEndsARunAndWaitsForIt) {
  RecordedProgram recorded = chain(4_us, 10_us);
  std::vector<program::Call>& calls = recorded.program.threads[0].calls;
  calls.pop_back();
  recorded.copy(0, "Memcpy DtoH", 4_us, 5_us);
  recorded.synchronize_device();
  // The kernels end at 46 as above (without the way back); then 1 gap, 5, 2 back.
  EXPECT_EQ(span_of(recorded.program, "persistent"), 54_us);
}

TEST(Persistent, ASynchronisationEndsARun) {
  RecordedProgram recorded = chain(4_us, 10_us);
  for (int k = 0; k < 2; ++k) recorded.launch(0, 0, 4_us, 10_us);
  recorded.synchronize_device();
  EXPECT_NE(changed(recorded.program, "persistent").notes[0].find("5 kernels become items of 2 "),
            std::string::npos);
}

TEST(Persistent, NothingToDoIsAnError) {
  RecordedProgram recorded;
  recorded.kernel("gemm");
  recorded.stream("stream 7");
  recorded.thread();
  recorded.launch(0, 0, 4_us, 10_us);
  EXPECT_EQ(error_of(recorded.program, "persistent"),
            "what-if persistent: no two launched kernels with known durations are consecutive on a "
            "stream");
}

}  // namespace
}  // namespace septet::test
