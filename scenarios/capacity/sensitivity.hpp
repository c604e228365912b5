// How much the answer depends on each assumption: the best fleet with one of them changed.
//
// All change by the same share, the model's error, so that they compare. What is watched is the
// objective that is nearest to its limit, or furthest beyond it (worst_share).
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "scenarios/capacity/candidate.hpp"

namespace septet::capacity {

enum class Assumed : std::uint8_t { kStepTime, kInputTokens, kOutputTokens };
constexpr auto enum_table(std::type_identity<Assumed>) {
  return enum_texts<Assumed>("time of steps", "tokens of prompts", "tokens of answers");
}

// What the fleet reaches with the assumption times `factor`.
struct Changed {
  double factor = 1;
  bool holds = false;
  double worst_share = 0;
};

struct Sensitivity {
  Assumed assumed = Assumed::kStepTime;
  Changed low;
  Changed high;
};

// `share`: below 1.
std::vector<Sensitivity> sensitivities_of(Evaluator& evaluator, const std::vector<Option>& options,
                                          const Candidate& best, double share);

}  // namespace septet::capacity
