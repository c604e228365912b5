// A system built from Specs and a Program: one logical process for each host process, each GPU and
// each part of the network in which collectives meet, wired together, ready to run once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/extent.hpp"
#include "core/engine/simulation.hpp"
#include "models/gpu/activity/activity.hpp"
#include "models/network/rendezvous/straggler_wait.hpp"
#include "scenarios/system/system_spec.hpp"
#include "scenarios/system/system_trace.hpp"

namespace septet::system {

// Unfinished work of a run stopped by RunOptions::end.
struct Unfinished {
  std::uint64_t launches = 0;      // of kernels, graphs, copies, memsets, collectives: not ended
  std::uint64_t all_launches = 0;  // of the program
  std::uint64_t calls = 0;         // API calls and CPU work of all threads: not returned

  bool any() const { return launches > 0 || calls > 0; }
};

// What a GPU of a run with collectives did.
struct GpuActivity {
  gpu::ActivityTimes times;
  network::StragglerWait straggler_wait;
};

class System {
 public:
  // The program must outlive the system. Throws ConfigError where the program is wrong and
  // ModelError where the GPU cannot run one of its kernels.
  System(const program::Program& program, const SystemSpec& spec);
  ~System();

  // Runs the program to its end. Throws ModelError naming who waits for whom if threads wait or
  // streams hold work forever (unless `options.end` stopped the run).
  engine::RunResult run(const engine::RunOptions& options);

  // After run(). Nothing if the run was not stopped early.
  Unfinished unfinished() const;
  // From the first call or GPU activity to the end of the last, of all GPUs, traced or not. Of a
  // run that was stopped early: up to that time.
  Extent extent() const;

  const program::Program& program() const;
  const SystemSpec& spec() const;
  const SystemTrace& trace() const;

  // Of all GPUs, traced or not, by device; empty where the program has no collectives.
  std::vector<GpuActivity> activity() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace septet::system
