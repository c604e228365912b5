// A system of round numbers, so that expected times can be added up in a comment.
#pragma once

#include "models/program/builder.hpp"
#include "scenarios/analysis/run_rows.hpp"
#include "scenarios/system/run_program.hpp"

namespace septet {

// Round numbers: a launch costs 4 us, reaches the GPU after 1 us, starts 2 us later; a kernel
// follows another one of its stream after 1 us; a completion takes 2 us to the waiting thread.
inline SystemSpec round_system() {
  SystemSpec system;
  system.gpu.sm_count = 4;
  system.gpu.front_end.doorbell_latency = 1_us;
  system.gpu.front_end.launch_latency = 2_us;
  system.gpu.front_end.graph_launch_latency = 2_us;
  system.gpu.front_end.stream_gap = 1_us;
  system.gpu.front_end.graph_gap = 1_us;
  system.gpu.front_end.graph_node_gap = 500_ns;
  system.gpu.front_end.completion_latency = 1_us;
  system.gpu.sm.shared_memory = 228_KiB;
  system.gpu.sm.shared_per_block_max = 227_KiB;
  system.gpu.sm.shared_allocation_unit = 128_B;
  system.host.launch_cost = 4_us;
  system.host.graph_launch_cost = 2_us;
  system.host.wake_latency = 1_us;
  system.host.pending_launches_max = 1000;
  return system;
}

inline Duration span_of(const Program& program, const SystemSpec& system) {
  const ProgramRun run = run_program(program, system, {});
  return collect_rows(run.rows, run.trace).span();
}

}  // namespace septet
