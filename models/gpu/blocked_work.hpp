// The blocked work of a GPU when nothing more can happen, and what it waits for.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/execution/execution.hpp"
#include "models/gpu/front_end/front_end.hpp"
#include "models/gpu/gpu_environment.hpp"
#include "models/gpu/persistent_kernels.hpp"
#include "models/gpu/processes/process_turns.hpp"
#include "models/program/waiting.hpp"

namespace septet::gpu {

// The parts of the GPU.
struct BlockedWork {
  const GpuEnvironment& environment;
  const program::DeviceLayout& layout;
  const ProcessTurns& turns;
  const FrontEnd& front_end;
  const Execution& execution;
  const PersistentKernels& persistent;

  // What each stream with pending work waits for.
  std::vector<program::Waiting> waiting() const;
  program::QueueState queue_state(std::uint32_t queue) const;

 private:
  std::string command_text(std::uint32_t command) const;
  void explain_stream(std::uint32_t stream, program::Waiting& out) const;
  void explain_time_slice(program::Waiting& out) const;
  void explain_event_wait(const Command& command, program::Waiting& out) const;
  void explain_resident_grids(program::Waiting& out) const;
  void explain_running(std::uint32_t command, program::Waiting& out) const;
  void explain_work(const Work& work, program::Waiting& out) const;
  void explain_sm_resources(const Work& work, program::Waiting& out) const;
};

}  // namespace septet::gpu
