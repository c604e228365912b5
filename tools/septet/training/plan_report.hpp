// What people and scripts are told about a training step and its best layouts.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/training/plan.hpp"

namespace septet::command {

// {"given", "fits", "nearest", "considered", "too_large", "too_slow", "simulated", "best",
// "sensitivity"}
nlohmann::ordered_json plan_json(const training::Plan& plan);

std::string plan_text(const config::TrainingCase& training, const training::Plan& plan,
                      std::size_t columns);

}  // namespace septet::command
