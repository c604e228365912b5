// The time from the earliest start to the latest end of some activity.
#pragma once

#include <algorithm>

#include "core/base/quantity.hpp"

namespace septet {

struct Extent {
  Instant first = Instant::max();  // beyond `last`: no activity
  Instant last{};

  void add(Instant begin, Instant end) {
    first = std::min(first, begin);
    last = std::max(last, end);
  }
  void add(const Extent& other) {
    if (!other.empty()) add(other.first, other.last);
  }
  bool empty() const { return first > last; }
};

}  // namespace septet
