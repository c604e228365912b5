#include "core/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.hpp"

namespace septet {

double percentile(std::span<const double> values, double percent) {
  SEPTET_ASSERT(!values.empty());
  SEPTET_ASSERT(percent >= 0 && percent <= 100);
  SEPTET_ASSERT(std::ranges::none_of(values, [](double value) { return std::isnan(value); }));
  std::vector<double> sorted(values.begin(), values.end());
  const double rank = percent / 100 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(rank);
  const auto at = sorted.begin() + below;
  std::nth_element(sorted.begin(), at, sorted.end());
  const double fraction = rank - static_cast<double>(below);
  if (fraction == 0) return *at;
  const double above = *std::min_element(at + 1, sorted.end());
  return *at + fraction * (above - *at);
}

double median(std::span<const double> values) { return percentile(values, 50); }

}  // namespace septet
