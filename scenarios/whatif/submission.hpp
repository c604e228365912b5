// Which of a thread's calls submit work to a GPU.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "models/program/program.hpp"

namespace septet::whatif {

// Calls that put a command into a stream: launches, records, waits and uploads of graphs.
constexpr bool submits(program::CallKind kind) {
  return uses_stream(kind) && kind != program::CallKind::kSynchronizeStream;
}

// By call: it is part of an API call whose submission `wanted` accepts. A recorded call that others
// interrupted is written as several calls with one correlation, one of which submits.
template <class Wanted>
std::vector<bool> parts_of_submissions(const program::HostThread& thread, Wanted wanted) {
  std::unordered_set<std::uint64_t> correlations;
  for (const program::Call& call : thread.calls) {
    if (call.correlation != 0 && submits(call.kind()) && wanted(call)) {
      correlations.insert(call.correlation);
    }
  }
  std::vector<bool> parts;
  for (const program::Call& call : thread.calls) {
    parts.push_back(program::is<program::OtherApiCall>(call) &&
                    correlations.contains(call.correlation));
  }
  return parts;
}

}  // namespace septet::whatif
