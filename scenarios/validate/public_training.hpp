// A published training run as a row of group train_public describes it: model, layout, framework.
//
// What a row leaves open is what its framework does by default (public_training.cpp says what).
#pragma once

#include "models/workload/training/step_time.hpp"
#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

training::TrainingSpec training_of(const MeasuredRow& row);

// The GPUs' system as the row has it: network and nodes.
system::SystemSpec training_system(const MeasuredRow& row, const system::SystemSpec& system);

// "products 61 %, other_kernels 14 %, ..."
std::string where_it_goes(const training::StepTime& time);

// A step of a model of source-train.py, for groups that time it in other ways: of the row's model,
// batch, precision and recomputation. Throws ConfigError for an unknown model.
training::StepTime named_training_step(const MeasuredRow& row, const system::SystemSpec& system);

std::vector<CaseKind> training_cases();
std::vector<CaseKind> train_step_cases();

}  // namespace septet::validation
