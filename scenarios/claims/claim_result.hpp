// The result of a claim: every situation simulated on every GPU, compared with measurements where
// available, and the resulting verdict.
//
// A claim holds where all its situations match its figure on every GPU on which it is evaluated,
// holds when some do, and does not hold where none does. Measured values and the author's premises
// are shown for comparison; they do not affect the verdict and are never inputs of a simulation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/claims/claim.hpp"
#include "scenarios/claims/measurements.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/system/system.hpp"

namespace septet::claims {

// A GPU on which claims are evaluated.
struct ClaimGpu {
  std::string name;
  config::ConfigValue numbers;  // tables gpu and host
  system::SystemSpec system;
};

struct SituationResult {
  std::string name;
  std::vector<std::optional<double>> simulated;  // by GPU of the claim; absent: no answer
  std::optional<double> measured;                // all of its parts were
  std::vector<std::string> matched_on;           // of the GPUs of the verdict
  bool matched = false;                          // on all of those that answer
  std::string missing;                           // why there is no answer, where there is none
};

struct ClaimResult {
  Claim claim;
  std::vector<SituationResult> situations;
  Verdict verdict = Verdict::kNotSimulated;

  // "NAME" of a situation that matches the figure on all GPUs, "NAME on GPU" of others that do.
  std::vector<std::string> matched_situations() const;
};

// `gpus`: those of claim.gpus(), in that order.
ClaimResult evaluate(const Claim& claim, const std::vector<const ClaimGpu*>& gpus,
                     Measurements& measurements);

}  // namespace septet::claims
