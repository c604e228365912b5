// Times of a Kineto trace are exact, whatever their size, and odd ones are counted.
#include <gtest/gtest.h>

#include "tests/models/workload/recorded/kineto/trace_file.hpp"

namespace septet::test {
namespace {

TEST(KinetoTimes, KeepEveryPicosecondOfSixteenDigitsWithAFraction) {
  const recorded::RecordedTrace trace =
      read_entries(operation(R"("ts": 1682725898236567.123, "dur": 0.001)") + "," +
                   operation(R"("ts": 1682725898236568.000001, "dur": 2.496)"));
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[0].start, Instant(0));
  EXPECT_EQ(trace.events[0].duration, 1_ns);
  // 568.000001 us - 567.123 us = 0.877001 us; a double would be off by up to 0.25 us here.
  EXPECT_EQ(trace.events[1].start, Instant(877'001));
  EXPECT_EQ(trace.events[1].duration, Duration(2'496'000));
  EXPECT_EQ(trace.origin_ns, 1682725898236567123);
  EXPECT_TRUE(trace.anomalies.empty());
}

TEST(KinetoTimes, ReadNineteenDigitsOfMicroseconds) {
  // Beyond 2^53, and in nanoseconds beyond 2^63: the origin can't be told, distances can.
  const recorded::RecordedTrace trace =
      read_entries(operation(R"("ts": 1682725898236567001, "dur": 1)") + "," +
                   operation(R"("ts": 1682725898236567004, "dur": 1)"));
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[1].start, Instant(3 * kPicosecondsPerMicrosecond));
  EXPECT_EQ(trace.origin_ns, 0);
  EXPECT_EQ(anomaly(trace, "absolute times beyond 64 bits of nanoseconds, origin set to 0"), 1U);
}

TEST(KinetoTimes, ReadExponents) {
  const recorded::RecordedTrace trace = read_entries(operation(R"("ts": 1.5e2, "dur": 25E-1)") +
                                                     "," + operation(R"("ts": 1e3, "dur": 0)"));
  EXPECT_EQ(trace.events[0].duration, 2500_ns);
  EXPECT_EQ(trace.events[1].start, Instant(850 * kPicosecondsPerMicrosecond));
}

TEST(KinetoTimes, RoundDigitsBelowOnePicosecondAndCountThem) {
  const recorded::RecordedTrace trace =
      read_entries(operation(R"("ts": 1, "dur": 2.4960005)") + "," +
                   operation(R"("ts": 1, "dur": 2.4960004999)"));
  EXPECT_EQ(trace.events[0].duration, Duration(2'496'001));
  EXPECT_EQ(trace.events[1].duration, Duration(2'496'000));
  EXPECT_EQ(anomaly(trace, "dur rounded to picoseconds"), 2U);
}

TEST(KinetoTimes, AreSortedAndEqualStartsKeepTheOrderOfTheFile) {
  const recorded::RecordedTrace trace = read_entries(
      operation(R"("ts": 9, "dur": 1)") + "," + operation(R"("ts": 8, "dur": 1)") + "," +
      operation(R"("ts": 8, "dur": 2)") + "," + operation(R"("ts": 8, "dur": 3)"));
  ASSERT_EQ(trace.events.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(trace.events[i].duration.count(),
              static_cast<std::int64_t>(i + 1) * kPicosecondsPerMicrosecond);
  }
  EXPECT_EQ(trace.events[3].start, Instant(kPicosecondsPerMicrosecond));
}

TEST(KinetoTimes, BelowZeroAreReadAndCounted) {
  const recorded::RecordedTrace trace =
      read_entries(operation(R"("ts": -1.25, "dur": 1)") + "," + operation(R"("ts": 1, "dur": 1)"));
  EXPECT_EQ(trace.events[1].start, Instant(2'250'000));
  EXPECT_EQ(trace.origin_ns, -1250);
  EXPECT_EQ(anomaly(trace, "ts below 0"), 1U);
}

TEST(KinetoTimes, GivenAsTextAreReadAndCounted) {
  const recorded::RecordedTrace trace = read_entries(
      operation(R"("ts": "1682725898236567.123", "dur": "3.5")") + "," +
      operation(R"("ts": 1682725898236568, "dur": 1)") + "," + operation(R"("ts": "noon")"));
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[0].duration, 3500_ns);
  EXPECT_EQ(trace.events[1].start, Instant(877'000));
  EXPECT_EQ(anomaly(trace, "ts given as text"), 1U);
  EXPECT_EQ(anomaly(trace, "dur given as text"), 1U);
  EXPECT_EQ(anomaly(trace, "entries skipped: ts is not a number of microseconds"), 1U);
}

TEST(KinetoTimes, ZeroMeansNoTimeStampInAnAbsoluteRecording) {
  const recorded::RecordedTrace trace =
      read_entries(kernel("0") + "," + kernel("1682725898236567") + "," + kernel("0.000"));
  ASSERT_EQ(trace.events.size(), 1U);
  EXPECT_EQ(anomaly(trace, "events skipped: ts 0 (no time stamp)"), 2U);
}

TEST(KinetoTimes, ZeroIsATimeInARecordingThatStartsThere) {
  const recorded::RecordedTrace trace =
      read_entries(operation(R"("ts": 7, "dur": 1)") + "," + operation(R"("ts": 0, "dur": 2)"));
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[0].duration, 2_us);
  EXPECT_EQ(trace.events[1].start, Instant(7 * kPicosecondsPerMicrosecond));
}

TEST(KinetoTimes, AllZeroIsARecordingOfOneInstant) {
  const recorded::RecordedTrace trace = read_entries(kernel("0") + "," + kernel("0"));
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[1].start, Instant(0));
}

TEST(KinetoTimes, FarFromMostOthersAreLeftOutEvenWhenTheyComeFirst) {
  const recorded::RecordedTrace trace =
      read_entries(kernel("9223372036854775000") + "," + kernel("1682725898236567") + "," +
                   kernel("1682725898236569"));
  ASSERT_EQ(trace.events.size(), 2U);
  EXPECT_EQ(trace.events[1].start, Instant(2 * kPicosecondsPerMicrosecond));
  EXPECT_EQ(anomaly(trace, "events skipped: ts 26 days or more from the others"), 1U);
}

TEST(KinetoTimes, BeyondSixtyThreeBitsAreNoTimes) {
  const recorded::RecordedTrace trace = read_entries(kernel("1e300") + "," + kernel("1"));
  ASSERT_EQ(trace.events.size(), 1U);
  EXPECT_EQ(anomaly(trace, "entries skipped: ts is not a number of microseconds"), 1U);
}

TEST(KinetoTimes, MissingLeaveTheEntryOut) {
  const recorded::RecordedTrace trace = read_entries(operation(R"("dur": 1)") + "," + kernel("3"));
  EXPECT_EQ(trace.events.size(), 1U);
  EXPECT_EQ(anomaly(trace, "entries skipped: no ts"), 1U);
}

TEST(KinetoTimes, DurationsOfZeroStayAndThoseOfKernelsAreCounted) {
  const recorded::RecordedTrace trace =
      read_entries(operation(R"("ts": 1, "dur": 0)") +
                   R"(, {"ph": "X", "cat": "kernel", "name": "k", "ts": 2, "dur": 0.000})");
  EXPECT_EQ(trace.events[1].duration, 0_ps);
  EXPECT_FALSE(trace.events[1].duration_missing);
  EXPECT_EQ(anomaly(trace, "kernels of duration 0"), 1U);
}

TEST(KinetoTimes, DurationsBelowZeroAreReadAsZeroAndCounted) {
  const recorded::RecordedTrace trace = read_entries(operation(R"("ts": 1, "dur": -0.5)"));
  EXPECT_EQ(trace.events[0].duration, 0_ps);
  EXPECT_EQ(anomaly(trace, "dur below 0, taken as 0"), 1U);
}

TEST(KinetoTimes, MissingOrAbsurdDurationsAreMarked) {
  const recorded::RecordedTrace trace =
      read_entries(operation(R"("ts": 1)") + "," + operation(R"("ts": 2, "dur": 1e15)") + "," +
                   operation(R"("ts": 3, "dur": nan)"));
  for (const recorded::RecordedEvent& event : trace.events) EXPECT_TRUE(event.duration_missing);
  EXPECT_EQ(anomaly(trace, "events without a duration"), 3U);
  EXPECT_EQ(anomaly(trace, "dur beyond 26 days, treated as missing"), 1U);
  EXPECT_EQ(anomaly(trace, "inf or nan, treated as missing"), 1U);
}

TEST(KinetoTimes, BaseTimeCountsWhereverItStands) {
  const std::string events = R"("traceEvents": [)" + operation(R"("ts": 2.5, "dur": 1)") + "]";
  const std::string base = R"("baseTimeNanoseconds": 1719853884000000000)";
  EXPECT_EQ(read_text("{" + events + ", " + base + "}").origin_ns, 1719853884000002500);
  EXPECT_EQ(read_text("{" + base + ", " + events + "}").origin_ns, 1719853884000002500);
}

TEST(KinetoTimes, BeginAndEndMakeOneSlice) {
  // The inner pair ends first: 3 -> 4 us inside 1 -> 9 us; the pair of another thread is apart.
  const auto entry = [](const std::string& phase, int thread, int ts) {
    return R"({"ph": ")" + phase + R"(", "cat": "cpu_op", "name": "op", "pid": 1, "tid": )" +
           std::to_string(thread) + R"(, "ts": )" + std::to_string(ts) + "}";
  };
  const recorded::RecordedTrace trace =
      read_entries(entry("B", 1, 1) + "," + entry("B", 2, 2) + "," + entry("B", 1, 3) + "," +
                   entry("E", 1, 4) + "," + entry("E", 2, 7) + "," + entry("E", 1, 9) + "," +
                   entry("E", 1, 10) + "," + entry("B", 1, 11));
  ASSERT_EQ(trace.events.size(), 4U);
  EXPECT_EQ(trace.events[0].duration, 8_us);
  EXPECT_EQ(trace.events[1].duration, 5_us);
  EXPECT_EQ(trace.events[2].duration, 1_us);
  EXPECT_TRUE(trace.events[3].duration_missing);
  EXPECT_EQ(anomaly(trace, "E without a B"), 1U);
  EXPECT_EQ(anomaly(trace, "B without an E"), 1U);
}

}  // namespace
}  // namespace septet::test
