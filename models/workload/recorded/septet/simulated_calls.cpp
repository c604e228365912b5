#include "models/workload/recorded/septet/simulated_calls.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "core/trace/table_rows.hpp"
#include "models/workload/recorded/recording/api_names.hpp"

namespace septet {
namespace {

// What the importer does with a kind of call, and a name that says so.
struct Meaning {
  ApiKind api = ApiKind::kOther;
  const char* name = nullptr;
};

Meaning meaning_of(const SimulatedCall& call) {
  switch (call.kind) {
    case CallKind::kLaunchKernel:
      if (call.manner == CallManner::kProgrammatic) {
        return {ApiKind::kLaunch, "cudaLaunchKernelExC"};
      }
      return {ApiKind::kLaunch, "cudaLaunchKernel"};
    case CallKind::kCollective:  // profilers show a kernel
      return {ApiKind::kLaunch, "cudaLaunchKernel"};
    case CallKind::kLaunchGraph:
      return {ApiKind::kLaunchGraph, "cudaGraphLaunch"};
    case CallKind::kCopy:
      if (call.manner == CallManner::kBlocking || call.manner == CallManner::kPageableBlocking) {
        return {ApiKind::kBlockingCopy, "cudaMemcpy"};
      }
      return {ApiKind::kCopy, "cudaMemcpyAsync"};
    case CallKind::kFill:
      return {ApiKind::kFill, "cudaMemsetAsync"};
    case CallKind::kRecordEvent:
      return {ApiKind::kRecordEvent, "cudaEventRecord"};
    case CallKind::kWaitEvent:
      return {ApiKind::kWaitEvent, "cudaStreamWaitEvent"};
    case CallKind::kSynchronizeEvent:
      return {ApiKind::kSynchronizeEvent, "cudaEventSynchronize"};
    case CallKind::kSynchronizeStream:
      return {ApiKind::kSynchronizeStream, "cudaStreamSynchronize"};
    case CallKind::kSynchronizeDevice:
      return {ApiKind::kSynchronizeDevice, "cudaDeviceSynchronize"};
    default:
      return {};
  }
}

// A call keeps its correlation where no other one has it; the others get ids that nobody uses.
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

std::vector<SimulatedCall> read_simulated_calls(const Hdf5Reader& file) {
  std::vector<SimulatedCall> out;
  for (const ApiCallRecord& row : read_records<ApiCallRecord>(file)) {
    if (row.end < row.start) {
      refuse_value(file, "api_calls", "end", out.size(), std::to_string(row.end.count()),
                   fmt::format("the start, {}, or later", row.start.count()));
    }
    out.push_back({row});
  }
  choose_ids(out);
  return out;
}

CallPlaces places_of(const Hdf5Reader& file, const std::vector<SimulatedCall>& calls) {
  CallPlaces places;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    if (places.try_emplace({calls[c].thread, calls[c].call}, c).second) continue;
    refuse_value(file, "api_calls", "call", c,
                 fmt::format("call {} of thread {} again", calls[c].call, calls[c].thread),
                 "each call once");
  }
  return places;
}

std::string api_name(const SimulatedCall& call, const std::string& shown) {
  const Meaning meaning = meaning_of(call);
  if (meaning.api == ApiKind::kOther) {
    return api_kind(shown) == ApiKind::kOther ? shown : "part of " + shown;
  }
  const bool programmatic = call.manner == CallManner::kProgrammatic;
  const bool says_so = api_kind(shown) == meaning.api && may_be_programmatic(shown) == programmatic;
  return says_so ? shown : meaning.name;
}

}  // namespace septet
