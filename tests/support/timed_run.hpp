// A system of round numbers and a look at what a Program did on it, so that a test can derive every
// time by hand. Times are given from the start of the run.
#pragma once

#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "models/program/builder.hpp"
#include "scenarios/analysis/run_rows.hpp"
#include "scenarios/system/run_program.hpp"
#include "tests/support/calls.hpp"

namespace septet {

// How GoogleTest shows times.
inline void PrintTo(const Duration& time, std::ostream* out) { *out << time.count() << " ps"; }
inline void PrintTo(const Instant& time, std::ostream* out) { *out << time.count() << " ps"; }

}  // namespace septet

namespace septet::test {

// A launch or a collective costs 4 us, reaches the GPU after 1 us, starts 2 us later; a kernel
// follows another one of its stream after 1 us; a completion takes 2 us to the waiting thread.
// Everything else takes no time. Four SMs with room for 64 warps each.
inline system::SystemSpec round_system() {
  system::SystemSpec system;
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
  system.host.programmatic_launch_cost = 4_us;
  system.host.collective_cost = 4_us;
  system.host.graph_launch_cost = 2_us;
  system.host.wake_latency = 1_us;
  system.host.pending_launches_max = 1000;
  return system;
}

// A call that ProgramBuilder has no method for, at the end of a thread.
inline program::Call& append(program::Program& program, program::CallKind kind,
                             std::uint32_t object, std::uint32_t thread = 0) {
  return program.threads.at(thread).calls.emplace_back(call_of(kind, object));
}

// From the first call or GPU activity to the end of the last.
inline Duration span_of(const program::Program& program, const system::SystemSpec& system) {
  const system::ProgramRun run = run_program(program, system, {});
  return analysis::collect_rows(run.rows).span();
}

// What a ConfigError or ModelError says that `action` throws.
template <class Error, class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class TimedRun {
 public:
  explicit TimedRun(const program::Program& program,
                    const system::SystemSpec& system = round_system()) {
    const system::ProgramRun run = run_program(program, system, {});
    rows_ = analysis::collect_rows(run.rows);
    for (const records::EventRecord& record : run.rows.records<records::EventRecord>()) {
      records_.push_back(record.time - Instant());
    }
  }

  const analysis::RunRows& rows() const { return rows_; }

  // Kernels and copies of a stream, by start.
  std::vector<analysis::GpuWork> works(std::uint32_t stream) const {
    std::vector<analysis::GpuWork> out;
    for (const analysis::GpuWork& work : rows_.works) {
      if (work.stream == static_cast<std::int32_t>(stream)) out.push_back(work);
    }
    return out;
  }
  Duration start(std::uint32_t stream, std::size_t n = 0) const {
    return works(stream).at(n).start - Instant();
  }
  Duration end(std::uint32_t stream, std::size_t n = 0) const {
    return works(stream).at(n).end - Instant();
  }
  records::WaitCause cause(std::uint32_t stream, std::size_t n = 0) const {
    return works(stream).at(n).cause;
  }

  // A node of the only launch of a graph.
  analysis::GpuWork node(std::int32_t index) const {
    for (const analysis::GpuWork& work : rows_.works) {
      if (work.node == index) return work;
    }
    throw std::runtime_error("the node did not run");
  }
  Duration node_start(std::int32_t index) const { return node(index).start - Instant(); }

  // A thread's calls that traces show, in order.
  records::ApiCallRecord call(std::int32_t thread, std::size_t n) const {
    for (const records::ApiCallRecord& call : rows_.calls) {
      if (call.thread == thread && n-- == 0) return call;
    }
    throw std::runtime_error("the thread made fewer calls");
  }
  Duration call_start(std::int32_t thread, std::size_t n) const {
    return call(thread, n).start - Instant();
  }
  Duration call_end(std::int32_t thread, std::size_t n) const {
    return call(thread, n).end - Instant();
  }

  // What the GPUs wrote down as the times of event records, in the order in which they did.
  const std::vector<Duration>& records() const { return records_; }

 private:
  analysis::RunRows rows_;
  std::vector<Duration> records_;
};

}  // namespace septet::test
