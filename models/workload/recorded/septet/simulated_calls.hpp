// The API calls of a simulated run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/trace/hdf5_reader.hpp"
#include "models/records/api_call_record.hpp"
#include "models/workload/recorded/recording/activity.hpp"

namespace septet::recorded {

struct SimulatedCall : records::ApiCallRecord {
  std::uint64_t id = 0;  // of no other call: the correlation where that is so

  bool pageable() const {
    return manner == program::CallManner::kPageable ||
           manner == program::CallManner::kPageableBlocking;
  }
};

// Where the call with a thread and an index is in the list of all.
using CallPlaces = std::map<std::pair<std::int64_t, std::int64_t>, std::size_t>;

// Of table api_calls, in the order of the file. Throws ConfigError as read_records does, and where
// a call ends before it starts.
std::vector<SimulatedCall> read_simulated_calls(const trace::Hdf5Reader& file);

// Throws ConfigError where two rows are one and the same call.
CallPlaces places_of(const trace::Hdf5Reader& file, const std::vector<SimulatedCall>& calls);

ApiKind api_kind_of(const SimulatedCall& call);

}  // namespace septet::recorded
