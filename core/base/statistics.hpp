// Summaries of many numbers.
#pragma once

#include <span>

namespace septet {

// The value at `percent` (0 to 100) of the sorted values, linear between the two nearest ranks:
// rank = percent / 100 * (n - 1). The rule of NumPy's default. Asserts at least one value, no NaN.
double percentile(std::span<const double> values, double percent);

// percentile(values, 50): the middle value, or the mean of the middle two.
double median(std::span<const double> values);

}  // namespace septet
