// A sum of many times, as of all kernels of a run or of all its GPUs. Durations end at 106 days,
// which such a sum may pass; this one has room for 10^19 of the longest.
#pragma once

#include <compare>

#include "core/base/quantity.hpp"

namespace septet {

class TotalTime {
 public:
  constexpr TotalTime() = default;
  constexpr TotalTime(Duration time) : picoseconds_(time.count()) {}  // one time is a sum, too

  constexpr auto operator<=>(const TotalTime&) const = default;
  constexpr TotalTime& operator+=(TotalTime other) {
    return picoseconds_ += other.picoseconds_, *this;
  }
  constexpr TotalTime& operator-=(TotalTime other) {
    return picoseconds_ -= other.picoseconds_, *this;
  }
  friend constexpr TotalTime operator+(TotalTime a, TotalTime b) { return a += b; }
  friend constexpr TotalTime operator-(TotalTime a, TotalTime b) { return a -= b; }

  // The mean of `count` times, truncated to whole picoseconds; RangeError where it is none that a
  // Duration holds.
  friend constexpr Duration operator/(TotalTime sum, std::int64_t count) {
    const Wide mean = sum.picoseconds_ / count;
    if (mean > Duration::max().count() || mean < -Duration::max().count()) {
      DurationTag::refuse(static_cast<double>(mean));
    }
    return Duration(static_cast<std::int64_t>(mean));
  }
  friend constexpr double ratio(TotalTime a, TotalTime b) {
    return static_cast<double>(a.picoseconds_) / static_cast<double>(b.picoseconds_);
  }
  friend constexpr double to_us(TotalTime sum) {
    return static_cast<double>(sum.picoseconds_) / static_cast<double>(kPicosecondsPerMicrosecond);
  }

 private:
  __extension__ using Wide = __int128;

  Wide picoseconds_ = 0;
};

}  // namespace septet
