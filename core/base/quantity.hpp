// Typed quantities. Each is one 64-bit number in a fixed base unit, so that a time is never added
// to a size and no unit is guessed. GB = 10^9 bytes, GiB = 2^30 bytes.
//
// Whole numbers never wrap: a sum, difference or product that does not fit, or a floating-point
// number that does not, throws RangeError with what was to be computed and the limit.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace septet {

// Each throws RangeError, naming what didn't fit.
struct DurationTag {
  [[noreturn]] static void refuse(std::int64_t a, char operation, std::int64_t b);
  [[noreturn]] static void refuse(double picoseconds);
};
struct BytesTag {
  [[noreturn]] static void refuse(std::int64_t a, char operation, std::int64_t b);
  [[noreturn]] static void refuse(double bytes);
};

// What `a` and `b` make. Floating-point numbers don't wrap.
template <class Tag, class Rep>
constexpr Rep checked_sum(Rep a, Rep b) {
  if constexpr (std::is_integral_v<Rep>) {
    Rep out{};
    if (__builtin_add_overflow(a, b, &out)) [[unlikely]] {
      Tag::refuse(a, '+', b);
    }
    return out;
  } else {
    return a + b;
  }
}
template <class Tag, class Rep>
constexpr Rep checked_difference(Rep a, Rep b) {
  if constexpr (std::is_integral_v<Rep>) {
    Rep out{};
    if (__builtin_sub_overflow(a, b, &out)) [[unlikely]] {
      Tag::refuse(a, '-', b);
    }
    return out;
  } else {
    return a - b;
  }
}
template <class Tag, class Rep>
constexpr Rep checked_product(Rep a, Rep b) {
  if constexpr (std::is_integral_v<Rep>) {
    Rep out{};
    if (__builtin_mul_overflow(a, b, &out)) [[unlikely]] {
      Tag::refuse(a, '*', b);
    }
    return out;
  } else {
    return a * b;
  }
}

// A number of Tag's base unit. Sums and integer multiples are exact; division by an integer
// truncates; `ratio` is a double.
template <class Tag, class Rep>
class Quantity {
 public:
  using rep = Rep;

  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep count) : count_(count) {}

  static constexpr Quantity max() { return Quantity(std::numeric_limits<Rep>::max()); }
  constexpr Rep count() const { return count_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    return count_ = checked_sum<Tag>(count_, other.count_), *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    return count_ = checked_difference<Tag>(count_, other.count_), *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator-(Quantity a) { return Quantity{} - a; }
  friend constexpr Quantity operator*(Quantity a, Rep n) {
    return Quantity(checked_product<Tag>(a.count_, n));
  }
  friend constexpr Quantity operator*(Rep n, Quantity a) { return a * n; }
  friend constexpr Quantity operator/(Quantity a, Rep n) { return Quantity(a.count_ / n); }

 private:
  Rep count_{};
};

template <class Tag, class Rep>
constexpr double ratio(Quantity<Tag, Rep> a, Quantity<Tag, Rep> b) {
  return static_cast<double>(a.count()) / static_cast<double>(b.count());
}

using Duration = Quantity<DurationTag, std::int64_t>;     // picoseconds
using Bytes = Quantity<BytesTag, std::int64_t>;           // bytes
using ByteRate = Quantity<struct ByteRateTag, double>;    // bytes per second
using FlopRate = Quantity<struct FlopRateTag, double>;    // floating-point operations per s
using Frequency = Quantity<struct FrequencyTag, double>;  // hertz
using Power = Quantity<struct PowerTag, double>;          // watts

// A point in simulated time: picoseconds since the start of the simulation (at most 106 days).
class Instant {
 public:
  constexpr Instant() = default;
  constexpr explicit Instant(std::int64_t picoseconds) : count_(picoseconds) {}

  static constexpr Instant max() { return Instant(std::numeric_limits<std::int64_t>::max()); }
  constexpr std::int64_t count() const { return count_; }

  constexpr auto operator<=>(const Instant&) const = default;
  constexpr Instant& operator+=(Duration d) {
    return count_ = checked_sum<DurationTag>(count_, d.count()), *this;
  }
  friend constexpr Instant operator+(Instant t, Duration d) { return t += d; }
  friend constexpr Instant operator-(Instant t, Duration d) {
    return Instant(checked_difference<DurationTag>(t.count_, d.count()));
  }
  friend constexpr Duration operator-(Instant a, Instant b) {
    return Duration(checked_difference<DurationTag>(a.count_, b.count_));
  }

 private:
  std::int64_t count_{};
};

constexpr std::int64_t kPicosecondsPerNanosecond = 1'000;
constexpr std::int64_t kPicosecondsPerMicrosecond = 1'000'000;
constexpr std::int64_t kPicosecondsPerMillisecond = 1'000'000'000;
constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

// `count` where a Quantity of that Tag holds it.
template <class Tag>
double in_range(double count) {
  constexpr double kEnd = 0x1p63;  // the first that is too large
  if (!(std::abs(count) < kEnd)) [[unlikely]] {
    Tag::refuse(count);
  }
  return count;
}

// Nearest picosecond; halves away from zero.
inline Duration from_picoseconds(double picoseconds) {
  return Duration(std::llround(in_range<DurationTag>(picoseconds)));
}
inline Duration from_us(double microseconds) {
  return from_picoseconds(microseconds * static_cast<double>(kPicosecondsPerMicrosecond));
}
inline Duration from_ns(double nanoseconds) {
  return from_picoseconds(nanoseconds * static_cast<double>(kPicosecondsPerNanosecond));
}
inline Duration from_seconds(double seconds) {
  return from_picoseconds(seconds * static_cast<double>(kPicosecondsPerSecond));
}
constexpr double to_us(Duration d) {
  return static_cast<double>(d.count()) / static_cast<double>(kPicosecondsPerMicrosecond);
}
constexpr double to_us(Instant t) { return to_us(Duration(t.count())); }
constexpr double to_seconds(Duration d) {
  return static_cast<double>(d.count()) / static_cast<double>(kPicosecondsPerSecond);
}

// d times a factor, to the nearest picosecond.
inline Duration scale(Duration d, double factor) {
  return from_picoseconds(static_cast<double>(d.count()) * factor);
}

// The time that `size` takes at `rate`, rounded up: a transfer never ends before its last byte.
inline Duration transfer_time(Bytes size, ByteRate rate) {
  const double seconds = static_cast<double>(size.count()) / rate.count();
  const double picoseconds = std::ceil(seconds * static_cast<double>(kPicosecondsPerSecond));
  return Duration(static_cast<std::int64_t>(in_range<DurationTag>(picoseconds)));
}

// Of a number of bytes that need not be whole, rounded up.
inline Bytes whole_bytes(double bytes) {
  return Bytes(static_cast<std::int64_t>(in_range<BytesTag>(std::ceil(bytes))));
}

// The time of `cycles` clock cycles, to the nearest picosecond.
inline Duration cycle_time(double cycles, Frequency clock) {
  return from_seconds(cycles / clock.count());
}

inline namespace literals {
constexpr Duration operator""_ps(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n));
}
constexpr Duration operator""_ns(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n) * kPicosecondsPerNanosecond);
}
constexpr Duration operator""_us(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n) * kPicosecondsPerMicrosecond);
}
constexpr Duration operator""_ms(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n) * kPicosecondsPerMillisecond);
}
constexpr Duration operator""_s(unsigned long long n) {
  return Duration(static_cast<std::int64_t>(n) * kPicosecondsPerSecond);
}
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<std::int64_t>(n)); }
constexpr Bytes operator""_KiB(unsigned long long n) {
  return Bytes(static_cast<std::int64_t>(n) << 10);
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return Bytes(static_cast<std::int64_t>(n) << 20);
}
constexpr ByteRate operator""_GBps(unsigned long long n) {
  return ByteRate(static_cast<double>(n) * 1e9);
}
constexpr Frequency operator""_MHz(unsigned long long n) {
  return Frequency(static_cast<double>(n) * 1e6);
}
}  // namespace literals

}  // namespace septet
