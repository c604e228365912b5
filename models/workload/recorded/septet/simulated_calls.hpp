// The API calls of a simulated run, under the names by which the importer knows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/program/program.hpp"
#include "models/workload/recorded/septet/trace_table.hpp"

namespace septet {

struct SimulatedCall {
  CallKind kind = CallKind::kApi;
  CallManner manner = CallManner::kPlain;
  std::uint32_t thread = 0;
  std::int32_t stream = 0;
  std::int64_t call = 0;  // index in its thread's Program
  std::int64_t object = -1;
  std::int64_t name = 0;  // code in dictionary "call"
  std::int64_t correlation = 0;
  std::uint64_t id = 0;  // of no other call: the correlation where that is so
  Instant start;
  Instant end;

  bool pageable() const {
    return manner == CallManner::kPageable || manner == CallManner::kPageableBlocking;
  }
};

// Where the call with a thread and an index is in the list of all.
using CallPlaces = std::map<std::pair<std::int64_t, std::int64_t>, std::size_t>;

// Of table api_calls, in the order of the file. `threads` and `names`: sizes of the dictionaries.
std::vector<SimulatedCall> read_simulated_calls(const TraceTable& table, std::size_t threads,
                                                std::size_t names);

// Throws ConfigError where two rows are one and the same call.
CallPlaces places_of(const TraceTable& table, const std::vector<SimulatedCall>& calls);

// The name that tells the importer what the call does: `shown` where that does, else the plain name
// of the CUDA runtime. A call without any effect on the GPU never gets the name of one that has.
std::string api_name(const SimulatedCall& call, const std::string& shown);

}  // namespace septet
