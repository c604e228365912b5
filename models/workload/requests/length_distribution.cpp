#include "models/workload/requests/length_distribution.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/erf.hpp>

namespace septet::requests {
namespace {

// The standard normal's quantile of a uniform draw, moved off 0 by half a step of its grid.
double normal_quantile(double uniform) {
  constexpr double kHalfStep = 0x1p-54;
  return -std::sqrt(2.0) * boost::math::erfc_inv(2.0 * (uniform + kHalfStep));
}

std::int64_t lognormal(const LengthDistribution& distribution, double uniform) {
  const double tokens = static_cast<double>(distribution.tokens) *
                        std::exp(distribution.sigma * normal_quantile(uniform));
  return std::llround(std::clamp(tokens, static_cast<double>(distribution.least),
                                 static_cast<double>(distribution.most)));
}

}  // namespace

std::int64_t draw_length(const LengthDistribution& distribution, RandomStream& stream) {
  const double uniform = stream.uniform();
  switch (distribution.kind) {
    case LengthKind::kFixed:
      return distribution.tokens;
    case LengthKind::kUniform: {
      const auto values = static_cast<double>(distribution.most - distribution.least + 1);
      return distribution.least + static_cast<std::int64_t>(uniform * values);
    }
    case LengthKind::kLognormal:
      break;
  }
  return lognormal(distribution, uniform);
}

}  // namespace septet::requests
