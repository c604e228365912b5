#include "core/base/quantity.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

TEST(Quantity, DoesNotMixDimensions) {
  static_assert(Addable<Duration, Duration>);
  static_assert(Addable<Instant, Duration>);
  static_assert(!Addable<Instant, Instant>);
  static_assert(!Addable<Duration, Bytes>);
  static_assert(!Addable<ByteRate, FlopRate>);
  static_assert(!std::is_convertible_v<int, Duration>);
}

TEST(Quantity, LiteralsAreInBaseUnits) {
  EXPECT_EQ((1_ns).count(), 1'000);
  EXPECT_EQ((1_us).count(), 1'000'000);
  EXPECT_EQ((1_ms).count(), 1'000'000'000);
  EXPECT_EQ((1_s).count(), 1'000'000'000'000);
  EXPECT_EQ((1_KiB).count(), 1024);
  EXPECT_EQ((1_MiB).count(), 1024 * 1024);
  EXPECT_EQ((2_GBps).count(), 2e9);
  EXPECT_EQ((3_MHz).count(), 3e6);
}

TEST(Quantity, DivisionByAnIntegerTruncates) {
  EXPECT_EQ(Duration(7) / 2, Duration(3));
  EXPECT_EQ(Duration(-7) / 2, Duration(-3));
  EXPECT_EQ(ratio(Duration(7), Duration(2)), 3.5);
}

TEST(Quantity, ConversionsRoundToTheNearestPicosecond) {
  EXPECT_EQ(from_ns(0.0014), Duration(1));  // 1.4 ps
  EXPECT_EQ(from_ns(0.0016), Duration(2));  // 1.6 ps
  EXPECT_EQ(from_us(2.5), Duration(2'500'000));
  EXPECT_EQ(from_seconds(-1e-12), Duration(-1));
  EXPECT_EQ(scale(Duration(10), 0.25), Duration(3));  // 2.5, halves away from zero
  EXPECT_EQ(to_us(1_ms), 1000.0);
}

TEST(Quantity, ATransferIsNeverOverBeforeItsLastByte) {
  // 1 byte at 3 B/ps takes 0.33 ps, of which the whole picosecond counts.
  EXPECT_EQ(transfer_time(Bytes(1), ByteRate(3e12)), Duration(1));
  EXPECT_EQ(transfer_time(Bytes(3), ByteRate(3e12)), Duration(1));
  EXPECT_EQ(transfer_time(Bytes(4), ByteRate(3e12)), Duration(2));
  EXPECT_EQ(transfer_time(Bytes(0), ByteRate(3e12)), Duration(0));
}

TEST(Quantity, CyclesFollowTheClock) {
  // 3 cycles at 2 GHz are 1.5 ns.
  EXPECT_EQ(cycle_time(3, Frequency(2e9)), Duration(1'500));
}

// What the RangeError says that `compute` throws; empty where it throws none.
template <class Compute>
std::string refusal(Compute compute) {
  try {
    compute();
  } catch (const RangeError& error) {
    return error.what();
  }
  return {};
}

TEST(Quantity, TheLastPicosecondIsReachedAndNotPassed) {
  const Duration last = Duration::max();
  EXPECT_EQ((last - 1_ps) + 1_ps, last);
  EXPECT_THROW(last + 1_ps, RangeError);
  EXPECT_EQ(Duration(-last.count()) - 1_ps + 1_ps, Duration(-last.count()));
  EXPECT_THROW(Duration(-last.count()) - 2_ps, RangeError);
  // 2^63 - 1 = 7 * 1317624576693539401.
  EXPECT_EQ(7 * Duration(1'317'624'576'693'539'401), last);
  EXPECT_THROW(7 * Duration(1'317'624'576'693'539'402), RangeError);
  EXPECT_THROW(-Duration(std::numeric_limits<std::int64_t>::min()), RangeError);
  EXPECT_THROW(Bytes::max() * 2, RangeError);
}

TEST(Quantity, ASumThatDoesNotFitLeavesWhatWasThere) {
  Duration sum = Duration::max();
  EXPECT_THROW(sum += 1_ps, RangeError);
  EXPECT_EQ(sum, Duration::max());
  Instant now = Instant::max();
  EXPECT_THROW(now += 1_ps, RangeError);
  EXPECT_EQ(now, Instant::max());
}

TEST(Quantity, ARefusalNamesWhatWasToBeComputedAndTheLimit) {
  EXPECT_EQ(refusal([] { return 3600_s * 2500; }), "");
  EXPECT_EQ(refusal([] { return 3600_s * 3'000'000; }),
            "a time of 3600 s * 3000000 is out of range: times end at 9223372.036854775807 s, "
            "after 106 days");
  EXPECT_EQ(refusal([] { return Bytes::max() + 1_KiB; }),
            "a size of 9223372036854775807 B + 1 KiB is out of range: sizes end at "
            "9223372036854775807 B, 8 EiB");
  EXPECT_EQ(refusal([] { return scale(3600_s, 1e6); }),
            "a time of 3.6e+09 s is out of range: times end at 9223372.036854775807 s, after 106 "
            "days");
}

TEST(Quantity, NumbersBeyondATimeOrASizeAreRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double last = std::nextafter(0x1p63, 0.0);
  EXPECT_EQ(from_picoseconds(last).count(), static_cast<std::int64_t>(last));
  EXPECT_EQ(whole_bytes(last).count(), static_cast<std::int64_t>(last));
  for (const double wrong : {0x1p63, -0x1p63, infinity, -infinity, std::nan("")}) {
    EXPECT_THROW(from_picoseconds(wrong), RangeError) << wrong;
    EXPECT_THROW(whole_bytes(wrong), RangeError) << wrong;
  }
  EXPECT_THROW(from_seconds(1e7), RangeError);
  EXPECT_THROW(from_us(1e13), RangeError);
  EXPECT_THROW(cycle_time(1, Frequency(0)), RangeError);
  EXPECT_THROW(transfer_time(Bytes(1), ByteRate(0)), RangeError);
  EXPECT_THROW(transfer_time(Bytes(0), ByteRate(0)), RangeError);
  EXPECT_EQ(whole_bytes(2.25), Bytes(3));
}

TEST(Instant, EndsWhereDurationsEnd) {
  EXPECT_EQ(Instant::max() - 1_ps + 1_ps, Instant::max());
  EXPECT_THROW(Instant::max() + 1_ps, RangeError);
  EXPECT_THROW(Instant::max() - Instant(-1), RangeError);
  EXPECT_THROW(Instant(-2) - Duration::max(), RangeError);
}

TEST(Instant, DifferenceIsADuration) {
  EXPECT_EQ(Instant(50) - Instant(20), Duration(30));
  EXPECT_EQ(Instant(50) - Duration(20), Instant(30));
  EXPECT_LT(Instant(1), Instant::max());
}

}  // namespace
}  // namespace septet
