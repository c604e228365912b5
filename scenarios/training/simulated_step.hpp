// A training step on a system: its time, and how well it uses the GPUs.
#pragma once

#include "models/workload/training/step_time.hpp"
#include "models/workload/training/training_rate.hpp"
#include "scenarios/system/system_spec.hpp"

namespace septet::training {

struct SimulatedStep {
  StepTime time;
  TrainingRate rate;
};

// Throws ConfigError where `spec` is wrong.
SimulatedStep simulate_step(const TrainingSpec& spec, const system::SystemSpec& system);

}  // namespace septet::training
