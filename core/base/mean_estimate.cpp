#include "core/base/mean_estimate.hpp"

#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

#include "core/base/error.hpp"

namespace septet {
namespace {

constexpr double kConfidence = 0.95;

}  // namespace

MeanEstimate mean_estimate(const std::vector<double>& values) {
  SEPTET_ASSERT(!values.empty());
  const auto n = static_cast<double>(values.size());
  MeanEstimate out{std::accumulate(values.begin(), values.end(), 0.0) / n};
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  const boost::math::students_t distribution(n - 1);
  out.half_width = quantile(distribution, (1 + kConfidence) / 2) * std::sqrt(squares / (n - 1) / n);
  return out;
}

}  // namespace septet
