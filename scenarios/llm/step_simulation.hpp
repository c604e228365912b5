// What one step of a language model takes, by simulation of its Program.
//
// Layers of a kind follow one another: from the second on each adds the same time. So a step is
// simulated with two of each kind and once more with three of one kind for each kind that has more,
// and the difference is added as often as there are further layers. Where a host that launches
// eagerly runs ahead of the GPU through many layers and something behind them waits for the host,
// that lead is cut short: the step comes out longer by at most the host's time for that last part.
// `exact` simulates all layers of every step, those included that are like an earlier one.
//
// Ranks of a group do the same at the same time and one stands for all; data-parallel ranks of
// attention pad to the largest and wait for the slowest. A pipeline of p stages has as many parts
// of the batch under way: a step takes p times the slowest stage with its part, which is 1 / p of
// the batch, or one sequence.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "models/workload/llm/step_model.hpp"
#include "models/workload/llm/step_program.hpp"
#include "models/workload/serving/batch.hpp"
#include "scenarios/system/system_spec.hpp"

namespace septet::llm {

struct StepOptions {
  bool exact = false;
  // Lengths of attention are rounded to steps of 1 / rounding of their power of two where not
  // exact: its time is then off by at most 1 / (2 rounding).
  std::uint32_t rounding = 32;
  program::LoadHistory load{.steady = true};
};

// The launch of every step of a system by a framework, eager or as graphs. An operator that is
// launched on its own costs the host what a collective through a framework does: nearly all of it
// is the framework's.
StepLaunch step_launch(const system::SystemSpec& system, Style style, serving::Execution execution);

// From the first launch of these steps, one after the other, to the return of the synchronisation,
// all layers simulated.
Duration wall_of(const system::SystemSpec& system, std::span<const TimedStep> steps,
                 const StepLaunch& launch);

// Of one step, layers added up as above.
Duration wall_of(const system::SystemSpec& system, TimedStep step, const StepLaunch& launch);

struct StepTime {
  Duration wall{};  // from the first launch to the return of the synchronisation
  Frequency clock{};
  gpu::Activity activity;  // of one GPU
  gpu::Bottleneck limiter = gpu::Bottleneck::kMemoryLatency;
};

class StepSimulation {
 public:
  // Throws ConfigError where the deployment doesn't fit together or the system has fewer GPUs.
  StepSimulation(system::SystemSpec system, Deployment deployment, StepOptions options);

  // Of one batch on all stages.
  StepTime step(const StepShape& shape, serving::Execution execution) const;

  // Of the GPUs that compute one rank's batch, beyond waiting with their clocks up. Exchanges count
  // as waiting.
  serving::Energy energy(const StepTime& step) const;

  const StepModel& model() const { return model_; }
  const system::SystemSpec& system() const { return system_; }

 private:
  StepTime stage(const StepShape& shape, serving::Execution execution, std::uint32_t stage) const;
  Duration exchange(const transformer::Exchange& exchange) const;
  Duration hand_over(const StepShape& shape) const;  // from a stage to the next

  const system::SystemSpec system_;
  const StepModel model_;
  const StepOptions options_;
  std::shared_ptr<const network::CollectiveModel> network_;
};

// Steps that are alike are simulated once.
class SimulatedStepCost : public serving::StepCost {
 public:
  SimulatedStepCost(system::SystemSpec system, Deployment deployment, StepOptions options);

  Duration time(std::span<const serving::Batch> ranks) const override { return use(ranks).time; }
  serving::StepUse use(std::span<const serving::Batch> ranks) const override;

  // How many different steps were simulated.
  std::size_t simulated() const;

 private:
  using Key = std::vector<double>;

  serving::StepUse of(const StepShape& shape, serving::Execution execution) const;

  const StepOptions options_;
  const StepSimulation simulation_;
  mutable std::mutex mutex_;
  mutable std::map<Key, serving::StepUse> known_;
  mutable std::size_t simulated_ = 0;
};

}  // namespace septet::llm
