#include "scenarios/claims/judgement.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/claims/part_value.hpp"

namespace septet {
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
      const Prediction value = part_value(part, claim, *gpu, measurements);
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

// Looks at the GPUs on which the claim is judged. Returns how many of them answer.
std::size_t compare(const Claim& claim, SituationResult& result) {
  const std::vector<std::string>& judged = claim.text.claim.gpus;
  const std::size_t premises = result.simulated.size() - judged.size();
  std::size_t answered = 0;
  for (std::size_t g = 0; g < judged.size(); ++g) {
    const std::optional<double>& value = result.simulated[premises + g];
    if (!value) continue;
    ++answered;
    if (claim.figure.met_by(*value)) result.met_on.push_back(judged[g]);
  }
  result.met = answered > 0 && result.met_on.size() == answered;
  return answered;
}

Verdict verdict_of(std::size_t answered, std::size_t met) {
  if (answered == 0) return Verdict::kNotSimulated;
  if (met == answered) return Verdict::kHolds;
  return met > 0 ? Verdict::kHoldsWhen : Verdict::kDoesNotHold;
}

}  // namespace

std::vector<std::string> Judgement::met_situations() const {
  std::vector<std::string> out;
  for (const SituationResult& situation : situations) {
    if (situation.met_on.empty()) continue;
    out.push_back(situation.met
                      ? situation.name
                      : fmt::format("{} on {}", situation.name, fmt::join(situation.met_on, ", ")));
  }
  return out;
}

Judgement judge(const Claim& claim, const std::vector<const ClaimGpu*>& gpus,
                Measurements& measurements) {
  Judgement out{claim, {}, Verdict::kNotSimulated};
  std::size_t answered = 0;
  std::size_t met = 0;
  for (const SituationText& situation : claim.text.situations) {
    SituationResult result = try_situation(situation, claim, gpus, measurements);
    answered += compare(claim, result);
    met += result.met_on.size();
    out.situations.push_back(std::move(result));
  }
  out.verdict = verdict_of(answered, met);
  return out;
}

}  // namespace septet
