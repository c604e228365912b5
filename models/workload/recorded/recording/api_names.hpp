// What a recorded API call does, told by its name: CUDA runtime (cuda...), CUDA driver (cu...) and
// HIP (hip...) spellings, with their suffixes (_v2, _ptsz, _spt, Async, ExC, ...).
#pragma once

#include <cstdint>
#include <string_view>

namespace septet {

enum class ApiKind : std::uint8_t {
  kOther,   // costs CPU time and nothing else
  kLaunch,  // kernel launches, cooperative ones included
  kLaunchGraph,
  kCopy,          // asynchronous as far as the name says
  kBlockingCopy,  // returns when the copy is done
  kFill,
  kRecordEvent,
  kWaitEvent,  // a stream waits for an event
  kSynchronizeEvent,
  kSynchronizeStream,
  kSynchronizeDevice,
};

ApiKind api_kind(std::string_view name);

constexpr bool is_synchronization(ApiKind kind) {
  return kind == ApiKind::kSynchronizeEvent || kind == ApiKind::kSynchronizeStream ||
         kind == ApiKind::kSynchronizeDevice;
}

// Launches through the extended interface, the only one that can ask for programmatic dependent
// launch (cudaLaunchKernelExC, cuLaunchKernelEx).
bool may_be_programmatic(std::string_view name);

}  // namespace septet
