#include "tools/septet/bench/engine_report.hpp"

#include <chrono>

namespace septet::command {

EngineReport time_run(engine::Simulation& simulation, const engine::RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const engine::RunResult result = simulation.run(options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {.events = result.events,
          .seconds = elapsed.count(),
          .events_per_s = static_cast<double>(result.events) / elapsed.count(),
          .digest = result.digest,
          .windows = result.windows};
}

}  // namespace septet::command
