// What a benchmark of the whole engine measured.
#pragma once

#include <cstdint>
#include <memory>

#include "core/engine/simulation.hpp"

namespace septet::command {

struct EngineReport {
  std::uint64_t events = 0;
  double seconds = 0;  // of the run, without building the model
  double events_per_s = 0;
  std::uint64_t digest = 0;
  std::uint64_t windows = 0;
};

EngineReport time_run(engine::Simulation& simulation, const engine::RunOptions& options);

// `count` LPs, each in a group of its own and joined with every other one.
template <class Process, class Options>
EngineReport time_lps(std::uint32_t count, const Options& options) {
  engine::Simulation simulation;
  for (std::uint32_t i = 0; i < count; ++i) simulation.add(std::make_unique<Process>(options), i);
  simulation.connect_all(options.lookahead);
  return time_run(simulation, {.threads = options.threads,
                               .partitions = options.partitions,
                               .seed = options.seed,
                               .end = Instant{} + options.end});
}

}  // namespace septet::command
