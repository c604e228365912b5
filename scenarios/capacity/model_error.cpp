#include "scenarios/capacity/model_error.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/validate/errors/validation_errors.hpp"

namespace septet::capacity {
namespace {

constexpr double kUnknownError = 0.2;
constexpr double kMostError = 0.9;

}  // namespace

ModelError model_error_of(const serving::ServingConfiguration& base) {
  const std::optional<double>& written = base.text.search.model_error;
  if (written) return {*written, "search.model_error"};
  const validation::ValidationErrors known =
      validation::read_validation_errors(config::data_directories());
  const auto nearest = validation::step_error(
      known.serving, {base.text.serving.model, base.hardware.gpu.name, base.engine_name});
  if (!nearest) return {kUnknownError, "assumed: nothing like it was measured"};
  return {std::min(nearest->median_abs_pct / 100, kMostError),
          fmt::format("median of {} measured rows of {}: {}", nearest->rows, nearest->metric,
                      nearest->likeness)};
}

}  // namespace septet::capacity
