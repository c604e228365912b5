// The value of one part of a side on one GPU.
#pragma once

#include "scenarios/claims/claim_result.hpp"
#include "scenarios/validate/prediction.hpp"

namespace septet::claims {

// Simulated, without its factor; no value if no model supports it. Throws ConfigError, located at
// the part, for undefined names.
validation::Prediction part_value(const PartText& part, const Claim& claim, const ClaimGpu& gpu,
                                  Measurements& measurements);

// The measured value of the same; absent where it was not measured.
std::optional<double> part_measured(const PartText& part, Measurements& measurements);

}  // namespace septet::claims
