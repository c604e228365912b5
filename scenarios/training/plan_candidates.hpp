// Layouts that a plan considers, and small changes of one that doesn't fit.
#pragma once

#include <string>
#include <vector>

#include "scenarios/training/plan.hpp"

namespace septet::training {

// Every layout of `gpus` GPUs that divides model and batch; tensor ranks within a `node`.
std::vector<TrainingSpec> plan_candidates(const TrainingSpec& given, const PlanChoices& choices,
                                          std::uint32_t gpus, std::uint32_t node);

// The first of these changes, the cheapest first, that makes a layout fit: shared states, less
// kept, smaller micro batches, everything recomputed, shared parameters, more tensor ranks or
// stages. Empty where none does.
std::string nearest_that_fits(const TrainingSpec& given, Bytes memory);

}  // namespace septet::training
