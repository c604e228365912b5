// Programs as a recording gives them, by hand: every call has its cost, every kernel its duration.
#pragma once

#include <cstdint>
#include <string>

#include "models/program/program.hpp"
#include "scenarios/analysis/run_rows.hpp"
#include "scenarios/system/run_program.hpp"
#include "scenarios/whatif/what_if.hpp"

namespace septet::test {

// Round numbers: a command reaches the GPU 1 us after its call and starts 2 us later; a kernel
// follows another one of its stream after 1 us; a node another one after 500 ns; a completion takes
// 1 us to the host and 1 us to the waiting thread.
inline system::SystemSpec round_system() {
  system::SystemSpec system;
  system.gpu.sm_count = 4;
  gpu::FrontEndSpec& front = system.gpu.front_end;
  front.doorbell_latency = 1_us;
  front.launch_latency = 2_us;
  front.copy_launch_latency = 2_us;
  front.memset_launch_latency = 2_us;
  front.graph_launch_latency = 2_us;
  front.stream_gap = 1_us;
  front.graph_gap = 1_us;
  front.graph_node_gap = 500_ns;
  front.event_wait_latency = 1_us;
  front.completion_latency = 1_us;
  system.gpu.queue.read_round_trip = 2_us;
  system.gpu.queue.fence_round_trip = 1_us;
  system.gpu.sm.shared_memory = 228_KiB;
  system.gpu.sm.shared_per_block_max = 227_KiB;
  system.gpu.sm.shared_allocation_unit = 128_B;
  system.host.launch_cost = 4_us;
  system.host.graph_launch_cost = 5_us;
  system.host.queue_access_cost = 100_ns;
  system.host.wake_latency = 1_us;
  system.host.pending_launches_max = 1000;
  return system;
}

class RecordedProgram {
 public:
  std::uint32_t kernel(const std::string& name) {
    program::LaunchShape shape;
    program.kernels.push_back({name, shape, program::RecordedWork{}, {}});
    return static_cast<std::uint32_t>(program.kernels.size() - 1);
  }

  std::uint32_t stream(const std::string& name) {
    program::Stream stream;
    stream.name = name;
    program.streams.push_back(stream);
    return static_cast<std::uint32_t>(program.streams.size() - 1);
  }

  void thread() { program.threads.emplace_back(); }

  // Later calls belong to it.
  void use_thread(std::size_t thread) { thread_ = thread; }

  program::Call& call(const program::Call& made, Duration cost) {
    calls().push_back(made);
    calls().back().cost = cost;
    return calls().back();
  }
  program::Call& api(Duration cost) { return call({.what = program::OtherApiCall{}}, cost); }
  program::Call& host(Duration time) {
    return call({.what = program::HostWork{time}}, Duration(0));
  }

  program::Call& launch(std::uint32_t kernel, std::uint32_t stream, Duration cost, Duration time) {
    return on_stream({.what = program::LaunchKernel{kernel, false, time}}, stream, cost);
  }

  program::Call& copy(std::uint32_t stream, const std::string& name, Duration cost, Duration time) {
    program::Call& copy = on_stream({.what = program::Copy{.recorded = time}}, stream, cost);
    copy.name = string(name);
    return copy;
  }

  program::Call& on_stream(const program::Call& made, std::uint32_t stream, Duration cost) {
    program::Call& on = call(made, cost);
    on.stream = stream;
    return on;
  }

  void record(std::uint32_t event, std::uint32_t stream) {
    on_stream({.what = program::RecordEvent{event}}, stream, Duration(0));
    program.events = std::max(program.events, event + 1);
  }

  void wait(std::uint32_t event, std::uint32_t stream) {
    on_stream({.what = program::WaitEvent{event}}, stream, Duration(0));
  }

  void synchronize_device() { call({.what = program::SynchronizeDevice{0}}, Duration(0)); }
  void synchronize_stream(std::uint32_t stream) {
    on_stream({.what = program::SynchronizeStream{}}, stream, Duration(0));
  }

  // This thread raises a signal for another one, which awaits it.
  void post(std::uint32_t signal) {
    call({.what = program::Post{signal}}, Duration(0));
    program.signals = std::max(program.signals, signal + 1);
  }
  void await(std::uint32_t signal) { call({.what = program::Await{signal}}, Duration(0)); }

  std::uint32_t string(const std::string& text) {
    program.strings.push_back(text);
    return static_cast<std::uint32_t>(program.strings.size() - 1);
  }

  program::Program program;

 private:
  std::vector<program::Call>& calls() { return program.threads[thread_].calls; }

  std::size_t thread_ = 0;
};

// A program on the round system, after a what-if ("" for none).
inline whatif::WhatIfState changed(const program::Program& program, const std::string& what_if) {
  whatif::WhatIfState state{program, round_system(), round_system(), {}, {}};
  if (!what_if.empty()) apply_what_if(what_if, state);
  return state;
}

inline analysis::RunRows rows_of(const whatif::WhatIfState& state) {
  const system::ProgramRun run = run_program(state.program, state.system, state.options);
  return analysis::collect_rows(run.rows);
}

inline Duration span_of(const program::Program& program, const std::string& what_if) {
  return rows_of(changed(program, what_if)).span();
}

// What the error of a what-if says; fails where there is none.
inline std::string error_of(const program::Program& program, const std::string& what_if) {
  try {
    changed(program, what_if);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace septet::test
