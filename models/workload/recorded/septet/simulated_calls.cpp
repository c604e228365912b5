#include "models/workload/recorded/septet/simulated_calls.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "core/trace/table_rows.hpp"

namespace septet::recorded {
namespace {

// A call keeps its correlation if it is unique; the others get unused ids.
void choose_ids(std::vector<SimulatedCall>& calls) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  std::unordered_map<std::int64_t, std::uint32_t> uses;
  std::int64_t largest = 0;
  for (const SimulatedCall& call : calls) {
    ++uses[call.correlation];
    largest = std::max(largest, call.correlation);
  }
  const bool room = largest < kLargest - static_cast<std::int64_t>(calls.size());
  auto next = static_cast<std::uint64_t>(room ? largest : 0);
  for (SimulatedCall& call : calls) {
    const bool own = room && call.correlation > 0 && uses[call.correlation] == 1;
    call.id = own ? static_cast<std::uint64_t>(call.correlation) : ++next;
  }
}

}  // namespace

std::vector<SimulatedCall> read_simulated_calls(const trace::Hdf5Reader& file) {
  std::vector<SimulatedCall> out;
  for (const records::ApiCallRecord& row : trace::read_records<records::ApiCallRecord>(file)) {
    if (row.end < row.start) {
      refuse_value(file, "api_calls", "end", out.size(), std::to_string(row.end.count()),
                   fmt::format("the start, {}, or later", row.start.count()));
    }
    out.push_back({row});
  }
  choose_ids(out);
  return out;
}

CallPlaces places_of(const trace::Hdf5Reader& file, const std::vector<SimulatedCall>& calls) {
  CallPlaces places;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    if (places.try_emplace({calls[c].thread, calls[c].call}, c).second) continue;
    refuse_value(file, "api_calls", "call", c,
                 fmt::format("call {} of thread {} again", calls[c].call, calls[c].thread),
                 "each call once");
  }
  return places;
}

ApiKind api_kind_of(const SimulatedCall& call) {
  switch (call.kind) {
    case program::CallKind::kLaunchKernel:
    case program::CallKind::kCollective:  // profilers show a kernel
      return ApiKind::kLaunch;
    case program::CallKind::kLaunchGraph:
      return ApiKind::kLaunchGraph;
    case program::CallKind::kCopy: {
      const bool blocking = call.manner == program::CallManner::kBlocking ||
                            call.manner == program::CallManner::kPageableBlocking;
      return blocking ? ApiKind::kBlockingCopy : ApiKind::kCopy;
    }
    case program::CallKind::kMemset:
      return ApiKind::kMemset;
    case program::CallKind::kRecordEvent:
      return ApiKind::kRecordEvent;
    case program::CallKind::kWaitEvent:
      return ApiKind::kWaitEvent;
    case program::CallKind::kSynchronizeEvent:
      return ApiKind::kSynchronizeEvent;
    case program::CallKind::kSynchronizeStream:
      return ApiKind::kSynchronizeStream;
    case program::CallKind::kSynchronizeDevice:
      return ApiKind::kSynchronizeDevice;
    default:
      return ApiKind::kOther;
  }
}

}  // namespace septet::recorded
