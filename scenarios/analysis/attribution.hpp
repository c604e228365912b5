// Where the time of a run went. Every instant between the first and the last activity belongs to
// exactly one category, so the categories add up to the whole:
//
//   gpu_busy       a kernel runs
//   copies         no kernel, but a copy or fill runs
//   launch_bound   the GPU is idle; the next work is being submitted: its API call, earlier API
//                  calls of its thread, the way to the GPU, the start of the launch
//   dependency     the GPU is idle; the next work has arrived and waits for its stream, an event, a
//                  graph node or room
//   host_work      the GPU is idle; the thread that will submit next runs its own code
//   synchronization the GPU is idle; that thread is still inside a synchronisation
//   idle           no further GPU work comes
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "scenarios/analysis/run_rows.hpp"

namespace septet {

enum class TimeCategory : std::uint8_t {
  kGpuBusy,
  kCopies,
  kLaunchBound,
  kDependency,
  kHostWork,
  kSynchronization,
  kIdle
};
constexpr std::size_t kTimeCategories = 7;
const char* name_of(TimeCategory category);

struct Attribution {
  std::array<Duration, kTimeCategories> time{};

  Duration& operator[](TimeCategory c) { return time[static_cast<std::size_t>(c)]; }
  Duration operator[](TimeCategory c) const { return time[static_cast<std::size_t>(c)]; }
  Duration total() const;
};

Attribution attribute(const RunRows& rows);

// Time and count by kernel name, longest first.
struct KernelTotal {
  std::int32_t name = 0;
  std::uint64_t count = 0;
  Duration time{};
};
std::vector<KernelTotal> top_kernels(const RunRows& rows);

}  // namespace septet
