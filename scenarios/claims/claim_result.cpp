#include "scenarios/claims/claim_result.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/claims/part_value.hpp"

namespace septet::claims {
namespace {

using Parts = std::vector<PartText>;

// The sum over a side; absent with the first part that has no value.
template <class ValueOf>
std::optional<double> sum_of(const Parts& parts, ValueOf value_of) {
  double out = 0;
  for (const PartText& part : parts) {
    const std::optional<double> value = value_of(part);
    if (!value) return std::nullopt;
    out += part.times * *value;
  }
  return out;
}

template <class ValueOf>
std::optional<double> figure_of(const Figure& figure, const SituationText& situation,
                                ValueOf value_of) {
  const std::optional<double> before = sum_of(situation.before, value_of);
  const std::optional<double> after = sum_of(situation.after, value_of);
  if (!before || !after) return std::nullopt;
  const double out = figure.of(*before, *after, situation.amount);
  return std::isfinite(out) ? std::optional<double>(out) : std::nullopt;
}

SituationResult try_situation(const SituationText& situation, const Claim& claim,
                              const std::vector<const ClaimGpu*>& gpus,
                              Measurements& measurements) {
  SituationResult out;
  out.name = situation.name.text;
  for (const ClaimGpu* gpu : gpus) {
    const auto simulated = [&](const PartText& part) {
      const validation::Prediction value = part_value(part, claim, *gpu, measurements);
      if (!value.value) out.missing = gpu->name + ": " + value.limiter;
      return value.value;
    };
    out.simulated.push_back(figure_of(claim.figure, situation, simulated));
    if (!out.simulated.back() && out.missing.empty()) {
      out.missing = gpu->name + ": a side is 0, so that there is no figure";
    }
  }
  const auto measured = [&](const PartText& part) { return part_measured(part, measurements); };
  out.measured = figure_of(claim.figure, situation, measured);
  return out;
}

// Considers the GPUs on which the claim is evaluated. Returns how many of them have a result.
std::size_t compare(const Claim& claim, SituationResult& result) {
  const std::vector<std::string>& gpus = claim.text.claim.gpus;
  const std::size_t premises = result.simulated.size() - gpus.size();
  std::size_t answered = 0;
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    const std::optional<double>& value = result.simulated[premises + g];
    if (!value) continue;
    ++answered;
    if (claim.figure.matched_by(*value)) result.matched_on.push_back(gpus[g]);
  }
  result.matched = answered > 0 && result.matched_on.size() == answered;
  return answered;
}

Verdict verdict_of(std::size_t answered, std::size_t matched) {
  if (answered == 0) return Verdict::kNotSimulated;
  if (matched == answered) return Verdict::kHolds;
  return matched > 0 ? Verdict::kHoldsWhen : Verdict::kDoesNotHold;
}

}  // namespace

std::vector<std::string> ClaimResult::matched_situations() const {
  std::vector<std::string> out;
  for (const SituationResult& situation : situations) {
    if (situation.matched_on.empty()) continue;
    out.push_back(situation.matched ? situation.name
                                    : fmt::format("{} on {}", situation.name,
                                                  fmt::join(situation.matched_on, ", ")));
  }
  return out;
}

ClaimResult evaluate(const Claim& claim, const std::vector<const ClaimGpu*>& gpus,
                     Measurements& measurements) {
  ClaimResult out{claim, {}, Verdict::kNotSimulated};
  std::size_t answered = 0;
  std::size_t matched = 0;
  for (const SituationText& situation : claim.text.situations) {
    SituationResult result = try_situation(situation, claim, gpus, measurements);
    answered += compare(claim, result);
    matched += result.matched_on.size();
    out.situations.push_back(std::move(result));
  }
  out.verdict = verdict_of(answered, matched);
  return out;
}

}  // namespace septet::claims
