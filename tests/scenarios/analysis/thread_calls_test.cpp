#include "scenarios/analysis/thread_calls.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/analysis/made_rows.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Thread 0: a call from 2 to 4, and one from 10 to 20 that waits until 16. Thread 2: from 5 to 6.
const std::vector<records::ApiCallRecord>& some_calls() {
  static const std::vector<records::ApiCallRecord> kCalls = {
      call(2_us, 4_us), call(10_us, 20_us, 6_us), call(5_us, 6_us, 0_us, 2)};
  return kCalls;
}

analysis::ThreadTime between(std::int32_t thread, Duration from, Duration to) {
  return analysis::ThreadCalls(some_calls()).between(thread, at(from), at(to));
}

TEST(ThreadCalls, TellCallingWaitingAndOwnWorkApart) {
  const analysis::ThreadTime time = between(0, 0_us, 30_us);
  EXPECT_EQ(time.calling, 6_us);   // 2 + 4
  EXPECT_EQ(time.waiting, 6_us);   // 10 to 16
  EXPECT_EQ(time.outside, 18_us);  // the rest
}

TEST(ThreadCalls, CutCallsAtTheBordersOfTheQuestion) {
  const analysis::ThreadTime time = between(0, 3_us, 17_us);
  EXPECT_EQ(time.calling, 2_us);  // 3 to 4 and 16 to 17
  EXPECT_EQ(time.waiting, 6_us);
  EXPECT_EQ(time.outside, 6_us);  // 4 to 10
  EXPECT_EQ(between(0, 12_us, 14_us).waiting, 2_us);
}

TEST(ThreadCalls, OfAThreadWithoutCallsAllIsOwnWork) {
  EXPECT_EQ(between(1, 0_us, 30_us).outside, 30_us);
  EXPECT_EQ(between(7, 0_us, 30_us).outside, 30_us);
  EXPECT_EQ(between(-1, 0_us, 30_us).outside, 30_us);
  EXPECT_EQ(between(2, 0_us, 30_us).calling, 1_us);
}

TEST(ThreadCalls, NothingHappensInNoTime) {
  EXPECT_EQ(between(0, 11_us, 11_us).waiting, 0_us);
  EXPECT_EQ(between(0, 11_us, 3_us).outside, 0_us);
}

TEST(ThreadCalls, FindTheLastCallThatBeginsBefore) {
  const analysis::ThreadCalls calls(some_calls());
  EXPECT_EQ(calls.last_before(0, at(2_us)), nullptr);
  ASSERT_NE(calls.last_before(0, at(3_us)), nullptr);
  EXPECT_EQ(calls.last_before(0, at(10_us))->start, at(2_us));
  EXPECT_EQ(calls.last_before(0, at(11_us))->start, at(10_us));
  EXPECT_EQ(calls.last_before(1, at(11_us)), nullptr);
  EXPECT_EQ(calls.last_before(2, at(11_us))->start, at(5_us));
}

}  // namespace
}  // namespace septet::test
