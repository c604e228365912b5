// What Septet makes of a claim: every situation simulated on every GPU, set beside what was
// measured where the same was measured, and the verdict that follows.
//
// A claim holds where all its situations match its figure on every GPU on which it is evaluated,
// holds when some do, and does not hold where none does. Measured values and the author's premises
// are shown beside; they decide nothing and are no input of a simulation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/claims/claim.hpp"
#include "scenarios/claims/measurements.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/system/system.hpp"

namespace septet::claims {

// A GPU that claims are asked about.
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
