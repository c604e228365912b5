#include "models/workload/recorded/septet/simulated_calls.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

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

std::vector<SimulatedCall> read_simulated_calls(const TraceTable& table, std::size_t threads,
                                                std::size_t names) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLatest = kAny / 4;
  constexpr std::int64_t kInt = std::numeric_limits<std::int32_t>::max();
  std::array<std::string, kCallKinds> kind_texts;
  std::array<std::string_view, kCallKinds> kinds;
  for (std::size_t k = 0; k < kCallKinds; ++k) {
    kind_texts[k] = trace_name(static_cast<CallKind>(k));
    kinds[k] = kind_texts[k];
  }
  const auto last = [](std::size_t size) { return static_cast<std::int64_t>(size) - 1; };
  const TraceTable::Values start = table.column("start", 0, kLatest);
  const TraceTable::Values end = table.column("end", 0, kLatest);
  const TraceTable::Values thread = table.column("thread", 0, last(threads));
  const TraceTable::Values stream = table.column("stream", -1, kInt);
  const TraceTable::Values name = table.column("name", 0, last(names));
  const TraceTable::Values correlation = table.column("correlation", -kAny, kAny);
  const TraceTable::Values kind = table.choices("kind", kinds);
  const TraceTable::Values call = table.column("call", 0, kAny);
  const TraceTable::Values object = table.column("object", -1, kInt);
  const TraceTable::Values manner = table.choices("manner", kCallManners);
  std::vector<SimulatedCall> out(start.size());
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (end[row] < start[row]) {
      table.refuse("end", row, std::to_string(end[row]),
                   "the start, " + std::to_string(start[row]) + ", or later");
    }
    out[row] = {static_cast<CallKind>(kind[row]),
                static_cast<CallManner>(manner[row]),
                static_cast<std::uint32_t>(thread[row]),
                static_cast<std::int32_t>(stream[row]),
                call[row],
                object[row],
                name[row],
                correlation[row],
                0,
                Instant(start[row]),
                Instant(end[row])};
  }
  choose_ids(out);
  return out;
}

CallPlaces places_of(const TraceTable& table, const std::vector<SimulatedCall>& calls) {
  CallPlaces places;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    if (places.try_emplace({calls[c].thread, calls[c].call}, c).second) continue;
    table.refuse("call", c,
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
