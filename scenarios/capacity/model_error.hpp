// The model's own error, which a search reckons with.
#pragma once

#include <string>

#include "scenarios/serving/serving_configuration.hpp"

namespace septet::capacity {

// By how much predicted times of steps may be wrong, and how that is known.
struct ModelError {
  double relative = 0;
  std::string source;
};

// The scenario's search.model_error, or how far the nearest measured rows were from their
// prediction.
ModelError model_error_of(const serving::ServingConfiguration& base);

}  // namespace septet::capacity
