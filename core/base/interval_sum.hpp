// Values over time intervals, summed where the intervals overlap.
#pragma once

#include <vector>

#include "core/base/quantity.hpp"

namespace septet {

struct ValuedInterval {
  Instant start, end;
  double value = 0;
};

// The value from `at` on, until the next step.
struct ValueStep {
  Instant at;
  double value = 0;
};

// The sum over time: each change of it, the last one to 0. Zero before the first.
std::vector<ValueStep> interval_sum(const std::vector<ValuedInterval>& intervals);

}  // namespace septet
