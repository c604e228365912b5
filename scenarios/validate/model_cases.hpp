// Group model: whole PyTorch models, predicted from the recording of three eager steps.
#pragma once

#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

std::vector<CaseKind> model_cases();

}  // namespace septet::validation
