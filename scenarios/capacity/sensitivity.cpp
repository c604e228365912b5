#include "scenarios/capacity/sensitivity.hpp"

namespace septet::capacity {
namespace {

Question question_of(Assumed assumed, double factor) {
  Question out;
  switch (assumed) {
    case Assumed::kStepTime:
      out.service_factor = factor;
      break;
    case Assumed::kInputTokens:
      out.input_factor = factor;
      break;
    case Assumed::kOutputTokens:
      out.output_factor = factor;
      break;
  }
  return out;
}

}  // namespace

std::vector<Sensitivity> sensitivities_of(Evaluator& evaluator, const std::vector<Option>& options,
                                          const Candidate& best, double share) {
  const auto with = [&](Assumed assumed, double factor) {
    const Candidate got =
        evaluator.evaluate(options, best.option, best.replicas, question_of(assumed, factor));
    return Changed{factor, got.holds, worst_share(got)};
  };
  std::vector<Sensitivity> out;
  for (const Assumed assumed : values_of<Assumed>()) {
    out.push_back({assumed, with(assumed, 1 - share), with(assumed, 1 + share)});
  }
  return out;
}

}  // namespace septet::capacity
