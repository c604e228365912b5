// The kinds of entries of a recording. A reader fills these types from the names and codes of its
// format, so that users of a recording never need to interpret a name.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "core/base/quantity.hpp"
#include "models/program/kernel.hpp"
#include "models/program/program.hpp"

namespace septet::recorded {

enum class RecordedKind : std::uint8_t {
  kCpuOp,       // framework operator on a CPU thread
  kAnnotation,  // user annotation on a CPU thread (step marks)
  kApiCall,     // CUDA or HIP API call on a CPU thread
  kKernel,
  kCopy,
  kMemset,
  kSync,      // what an API call recorded or waited for: a stream, an event, a device
  kOverhead,  // the profiler's own work
};

constexpr bool is_gpu_work(RecordedKind kind) {
  return kind == RecordedKind::kKernel || kind == RecordedKind::kCopy ||
         kind == RecordedKind::kMemset;
}

// What an API call does.
enum class ApiKind : std::uint8_t {
  kOther,   // costs CPU time and nothing else
  kLaunch,  // of a kernel, cooperative ones included
  kLaunchGraph,
  kCopy,          // asynchronous, unless the memory is pageable
  kBlockingCopy,  // returns when the copy is done
  kMemset,
  kRecordEvent,
  kWaitEvent,  // a stream waits for an event
  kSynchronizeEvent,
  kSynchronizeStream,
  kSynchronizeDevice,
};

constexpr bool is_synchronization(ApiKind kind) {
  return kind == ApiKind::kSynchronizeEvent || kind == ApiKind::kSynchronizeStream ||
         kind == ApiKind::kSynchronizeDevice;
}

constexpr std::int32_t kNoStream = -1;
constexpr std::uint16_t kNoDevice = 0xFFFF;  // not recorded, or an id beyond 65,534
constexpr std::uint32_t kNoText = 0xFFFFFFFFU;

// What kernels, copies and memsets have in common.
struct RecordedGpuWork {
  std::uint64_t graph = 0;  // 0: not launched by a graph, or not recorded
  std::uint64_t graph_node = 0;
  std::int32_t priority = 0;  // of the stream
  // Simulated: it waited for a hardware connection or a resident grid, which a replay makes it do
  // again, and for `room` after that.
  bool queued = false;
  Duration room{};

  bool operator==(const RecordedGpuWork&) const = default;
};

// Of kernels of NCCL and the like, as far as it is recorded.
struct RecordedCollective {
  std::optional<program::CollectiveOp> op;
  std::uint32_t name = kNoText;
  std::uint32_t group = kNoText;  // the group of ranks, as the profiler calls it
  std::int64_t elements = 0;
  std::int32_t group_size = 0;

  bool operator==(const RecordedCollective&) const = default;
};

struct KernelActivity {
  RecordedGpuWork gpu;
  program::LaunchShape shape;  // grid and block 0 x 0 x 0 and 0 registers where not recorded
  RecordedCollective collective;

  bool operator==(const KernelActivity&) const = default;
};

struct CopyActivity {
  RecordedGpuWork gpu;
  Bytes bytes{};
  std::optional<program::CopyDirection> direction;  // nothing: not recorded
  bool pinned = true;  // the host memory; false only where recorded as pageable

  bool operator==(const CopyActivity&) const = default;
};

struct MemsetActivity {
  RecordedGpuWork gpu;
  Bytes bytes{};

  bool operator==(const MemsetActivity&) const = default;
};

// Of synchronisation records: the event record or the stream that is waited for.
struct SyncActivity {
  std::uint64_t record_correlation = 0;  // of the call that recorded the event
  std::int32_t stream = kNoStream;       // whose work is waited for
  std::uint16_t device = kNoDevice;      // of that stream; kNoDevice: the record's own

  bool operator==(const SyncActivity&) const = default;
};

// Of API calls: HIP records the launch's shape with the call instead of the kernel.
struct LaunchActivity {
  program::LaunchShape shape;

  bool operator==(const LaunchActivity&) const = default;
};

using RecordedActivity =
    std::variant<KernelActivity, CopyActivity, MemsetActivity, SyncActivity, LaunchActivity>;

// Null for activities that are not GPU work.
constexpr const RecordedGpuWork* gpu_work(const RecordedActivity& activity) {
  return std::visit(
      [](const auto& one) -> const RecordedGpuWork* {
        if constexpr (requires { one.gpu; }) return &one.gpu;
        return nullptr;
      },
      activity);
}

}  // namespace septet::recorded
