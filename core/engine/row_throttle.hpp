// Limits the length of windows, so that the rows of one window fit comfortably in memory: windows
// can be long if partitions do not communicate. Adapts to the rows of the last window; changes no
// result.
#pragma once

#include <cstddef>

#include "core/base/quantity.hpp"

namespace septet::engine {

class RowThrottle {
 public:
  static constexpr std::size_t kRowsPerWindow = 1U << 18;

  // The latest end of a window that starts with an event at `first`.
  Instant latest_end(Instant first) const {
    return limit_ >= Instant::max() - first ? Instant::max() : first + limit_;
  }

  // A window of this length brought so many rows.
  void learn(Duration length, std::size_t rows) {
    if (rows > kRowsPerWindow) {
      limit_ = length > Duration(1) ? length / 2 : Duration(1);
    } else if (rows < kRowsPerWindow / 2 && length >= limit_ && limit_ < Duration::max() / 2) {
      limit_ = limit_ * 2;
    }
  }

 private:
  Duration limit_ = Duration(kPicosecondsPerNanosecond);  // doubles quickly where rows are few
};

}  // namespace septet::engine
