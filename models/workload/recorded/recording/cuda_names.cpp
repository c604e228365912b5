#include "models/workload/recorded/recording/cuda_names.hpp"

#include <array>
#include <vector>

namespace septet::recorded {
namespace {

std::string_view without_vendor(std::string_view name) {
  for (const std::string_view prefix : {"cuda", "hip", "cu"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return {};
}

struct Prefix {
  std::string_view text;
  ApiKind kind;
};

// The first entry that a name (without the vendor's prefix) starts with decides.
constexpr auto kPrefixes = std::to_array<Prefix>({
    {"GraphLaunch", ApiKind::kLaunchGraph},
    {"LaunchHostFunc", ApiKind::kOther},
    {"Launch", ApiKind::kLaunch},
    {"ExtLaunch", ApiKind::kLaunch},
    {"ExtModuleLaunch", ApiKind::kLaunch},
    {"HccModuleLaunch", ApiKind::kLaunch},
    {"ModuleLaunch", ApiKind::kLaunch},
    {"EventRecord", ApiKind::kRecordEvent},
    {"StreamWaitEvent", ApiKind::kWaitEvent},
    {"EventSynchronize", ApiKind::kSynchronizeEvent},
    {"StreamSynchronize", ApiKind::kSynchronizeStream},
    {"DeviceSynchronize", ApiKind::kSynchronizeDevice},
    {"CtxSynchronize", ApiKind::kSynchronizeDevice},
    {"ThreadSynchronize", ApiKind::kSynchronizeDevice},
    {"MemcpyWithStream", ApiKind::kBlockingCopy},
    {"Memset", ApiKind::kMemset},
});

constexpr std::string_view kCopy = "Memcpy ";

constexpr bool is_end(char side) {
  return side == 'H' || side == 'D' || side == 'A' || side == 'P';
}

}  // namespace

ApiKind api_kind(std::string_view name) {
  const std::string_view call = without_vendor(name);
  for (const Prefix& prefix : kPrefixes) {
    if (call.starts_with(prefix.text)) return prefix.kind;
  }
  if (!call.starts_with("Memcpy")) return ApiKind::kOther;
  return call.find("Async") == std::string_view::npos ? ApiKind::kBlockingCopy : ApiKind::kCopy;
}

bool may_be_programmatic(std::string_view name) {
  return name.starts_with("cudaLaunchKernelEx") || name.starts_with("cuLaunchKernelEx");
}

bool is_hip(std::string_view name) { return name.starts_with("hip"); }

// A name is looked at once, however many calls have it.
void read_api_names(RecordedTrace& trace) {
  struct Meaning {
    ApiKind kind;
    bool programmatic;
    bool hip;
  };
  std::vector<Meaning> meanings;
  for (const std::string& name : trace.strings) {
    meanings.push_back({api_kind(name), may_be_programmatic(name), is_hip(name)});
  }
  for (RecordedEvent& event : trace.events) {
    if (event.kind != RecordedKind::kApiCall) continue;
    event.api = meanings[event.name].kind;
    event.programmatic = meanings[event.name].programmatic;
    trace.overrunning = trace.overrunning || meanings[event.name].hip;
  }
}

std::optional<program::CopyDirection> copy_direction(std::string_view name) {
  using enum program::CopyDirection;
  if (!name.starts_with(kCopy)) return std::nullopt;
  const std::string_view ends = name.substr(kCopy.size(), 4);
  if (ends.size() != 4 || ends.substr(1, 2) != "to" || !is_end(ends[0]) || !is_end(ends[3])) {
    return std::nullopt;
  }
  if (ends[0] == 'H') return ends[3] == 'H' ? kHostToHost : kHostToDevice;
  return ends[3] == 'H' ? kDeviceToHost : kDeviceToDevice;
}

bool copies_pageable_memory(std::string_view name) {
  return name.find("Pageable") != std::string_view::npos;
}

}  // namespace septet::recorded
