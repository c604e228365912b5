// Where the time of a run went. Every instant between the first and the last activity belongs to
// exactly one category, so the categories add up to the total:
//
//   gpu_busy       a kernel runs
//   copies         no kernel, but a copy or memset runs
//   launch_bound   the GPU is idle; the next work is being submitted: its API call, earlier API
//                  calls of its thread, the path to the GPU, the start of the launch
//   dependency     the GPU is idle; the next work has arrived and waits for its stream, an event, a
//                  graph node or room
//   host_work      the GPU is idle; the thread that will submit next runs its own code
//   synchronization the GPU is idle; that thread is still inside a synchronisation
//   other_calls    the GPU is idle; that thread is inside an API call that submits nothing: context
//                  creation, loading of modules, allocation of memory
//   unrecorded     the GPU is idle; the next work waits for something that is not in the recording
//   idle           no more GPU work follows
//
// In a run with collectives this is done for each GPU with rows, and the times are added up;
// gpu_busy is then divided into
//
//   compute            a kernel other than those of collectives runs
//   communication      a collective moves data and no such kernel runs
//   waiting_for_ranks  a collective waits for ranks that have not arrived, and neither of the above
//   holds
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/total_time.hpp"
#include "scenarios/analysis/run_rows.hpp"

namespace septet::analysis {

enum class TimeCategory : std::uint8_t {
  kGpuBusy,
  kCompute,
  kCommunication,
  kWaitingForRanks,
  kCopies,
  kLaunchBound,
  kDependency,
  kHostWork,
  kSynchronization,
  kOtherCalls,
  kUnrecorded,
  kIdle
};
constexpr auto enum_table(std::type_identity<TimeCategory>) {
  return enum_texts<TimeCategory>("gpu_busy", "compute", "communication", "waiting_for_ranks",
                                  "copies", "launch_bound", "dependency", "host_work",
                                  "synchronization", "other_calls", "unrecorded", "idle");
}

struct Attribution {
  std::array<TotalTime, kEnumSize<TimeCategory>> time{};  // of all GPUs added up
  std::uint32_t gpus = 1;  // 1 without collectives, whatever the number of GPUs
  bool collectives = false;
  TotalTime busy_union;  // kernels, copies and fills run, of all GPUs added up
  TotalTime hidden;      // collectives move data while kernels compute; part of kCompute

  TotalTime& operator[](TimeCategory c) { return time[static_cast<std::size_t>(c)]; }
  TotalTime operator[](TimeCategory c) const { return time[static_cast<std::size_t>(c)]; }
  TotalTime total() const;  // the span of the run, times `gpus`
  // Of one GPU on average, to the nearest picosecond below.
  Duration mean(TimeCategory c) const { return (*this)[c] / gpus; }
  Duration busy() const;  // mean time in which kernels other than collectives run
};

// The possible categories of a run with or without collectives.
std::vector<TimeCategory> categories_of(const Attribution& attribution);

Attribution attribute(const RunRows& rows);

// Works that waited for something that is not in the recording, by name; longest time first.
struct UnrecordedWait {
  std::int32_t name = 0;
  bool is_kernel = true;
  std::uint64_t count = 0;
  TotalTime time;
};
std::vector<UnrecordedWait> unrecorded_waits(const RunRows& rows);

// Time and count by kernel name, longest working time first.
struct KernelTotal {
  std::int32_t name = 0;
  std::uint64_t count = 0;
  TotalTime time;
  bool collective = false;
  TotalTime waiting;  // part of `time` in which collectives waited for ranks

  TotalTime working() const { return time - waiting; }
};
std::vector<KernelTotal> top_kernels(const RunRows& rows);

}  // namespace septet::analysis
