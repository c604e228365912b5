// Imports recordings made by hand with round latencies.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "models/workload/recorded/import/importer.hpp"
#include "tests/models/workload/recorded/import/replay.hpp"
#include "tests/models/workload/recorded/recording/recording_maker.hpp"

namespace septet::test {

inline recorded::RecordedLatencies round_latencies() {
  recorded::RecordedLatencies latencies;
  latencies.launch.value = latencies.copy.value = latencies.memset.value = 2_us;
  latencies.graph_launch.value = 3_us;
  latencies.stream_gap.value = 1_us;
  latencies.graph_gap.value = 4_us;
  latencies.node_gap.value = 500_ns;
  latencies.node_gap_to_memory.value = 1_us;
  latencies.node_gap_from_memory.value = 2_us;
  latencies.wake.value = 5_us;
  return latencies;
}

inline recorded::Import import_made(RecordingMaker& maker, std::uint32_t ring_capacity = 1024) {
  recorded::ImportOptions options;
  options.ring_capacity = ring_capacity;
  options.latencies = round_latencies();
  recorded::Import import = import_recording(maker.make(), options);
  check(import.program);
  return import;
}

// A launch call of 5 us and its kernel.
inline void launch(RecordingMaker& maker, std::uint64_t correlation, double call, double start,
                   double end, std::int32_t stream, std::uint32_t thread = 0) {
  maker.call("cudaLaunchKernel", call, call + 5, correlation, thread);
  maker.kernel(correlation, start, end, stream);
}

using Kinds = std::vector<program::CallKind>;

inline const std::vector<program::Call>& calls(const recorded::Import& import,
                                               std::size_t thread = 0) {
  return import.program.threads.at(thread).calls;
}

// Without the scopes of operators and annotations.
inline Kinds kinds(const recorded::Import& import, std::size_t thread = 0) {
  Kinds found;
  for (const program::Call& call : calls(import, thread)) {
    if (!program::is<program::Scope>(call)) found.push_back(call.kind());
  }
  return found;
}

// All host work of a thread.
inline Duration host_time(const recorded::Import& import, std::size_t thread) {
  Duration sum{};
  for (const program::Call& call : calls(import, thread)) {
    const auto* work = program::get_if<program::HostWork>(call);
    if (work != nullptr) sum += work->duration;
  }
  return sum;
}

// The only call of a kind in thread 0.
inline const program::Call& only(const recorded::Import& import, program::CallKind kind) {
  const program::Call* found = nullptr;
  for (const program::Call& call : calls(import)) {
    if (call.kind() != kind) continue;
    EXPECT_EQ(found, nullptr) << "several";
    found = &call;
  }
  if (found == nullptr) throw std::runtime_error("no call of this kind");
  return *found;
}

// What holds the last command of thread 0.
inline program::Hold hold_before_last(const recorded::Import& import) {
  const std::vector<program::Call>& made = calls(import);
  const auto* hold = program::get_if<program::Hold>(made.at(made.size() - 2));
  if (hold == nullptr) throw std::runtime_error("no hold");
  return *hold;
}

// The replay gives every recorded start and the recorded total, to the picosecond.
inline void expect_exact(const recorded::Import& import) {
  const Replayed replayed = replay(import);
  EXPECT_EQ(replayed.total, import.measured);
  for (std::size_t row = 0; row < import.rows.size(); ++row) {
    EXPECT_EQ(replayed.starts[row], import.rows[row].start) << "row " << row;
  }
}

}  // namespace septet::test
