// Steps of transformers as rows describe them, in the kernels of PyTorch.
#pragma once

#include "models/workload/transformer/transformer_step.hpp"
#include "scenarios/llm/step_simulation.hpp"
#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

// The shape under `key` of a row's case. Throws ConfigError where it is incomplete.
transformer::TransformerShape shape_of(const MeasuredRow& row, const char* key);

// Its kernels, at the clock that `in_row` such steps in a row leave.
llm::TimedStep framework_step(const system::SystemSpec& system,
                              const transformer::TransformerStep& step, double in_row);

std::vector<CaseKind> step_cases();
std::vector<CaseKind> serve_cases();

}  // namespace septet::validation
