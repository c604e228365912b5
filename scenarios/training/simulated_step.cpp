#include "scenarios/training/simulated_step.hpp"

#include "scenarios/training/group_exchange.hpp"

namespace septet::training {

SimulatedStep simulate_step(const TrainingSpec& spec, const system::SystemSpec& system) {
  check(spec);
  SimulatedStep out;
  out.time = step_time(spec, system.gpu, system.host, group_exchange(spec, system));
  out.rate = training_rate(ByRange<gpu::GpuSpec>(system.gpu), spec, out.time.total * spec.steps);
  return out;
}

}  // namespace septet::training
