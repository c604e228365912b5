#include "core/base/quantity.hpp"

#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

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

TEST(Instant, DifferenceIsADuration) {
  EXPECT_EQ(Instant(50) - Instant(20), Duration(30));
  EXPECT_EQ(Instant(50) - Duration(20), Instant(30));
  EXPECT_LT(Instant(1), Instant::max());
}

}  // namespace
}  // namespace septet
