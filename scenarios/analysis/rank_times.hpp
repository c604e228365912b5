// The GPUs of a run with collectives side by side, traced or not: how long they compute,
// communicate and wait, and which one is the straggler.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/quantity.hpp"
#include "scenarios/system/system.hpp"

namespace septet::analysis {

// One time of all GPUs.
struct TimeRange {
  Duration min{}, median{}, max{};  // median: of an even number the mean of the middle two
  std::uint32_t gpu = 0;            // the first with `max`
  double seconds = 0;               // of all GPUs, which a Duration may not hold
};

// The GPU that others waited for longest, and those within a hundredth of it.
struct Straggler {
  std::uint32_t gpu = 0;                  // the lowest of those waited for longest
  std::uint32_t alike = 1;                // number of such GPUs, including itself
  network::StragglerWait straggler_wait;  // of this one
  double share = 0;  // all those alike: of the time that all ranks waited in collectives of groups
};

struct RankTimes {
  std::uint32_t gpus = 0;
  Duration span{};          // of the run; compute, communication, waiting, rest add up to it
  TimeRange compute;        // kernels run that are not collectives
  TimeRange communication;  // collectives move data and no such kernel runs
  TimeRange waiting;        // collectives wait for ranks, and neither of the above
  TimeRange rest;
  TimeRange hidden;         // collectives move data while kernels compute
  double peer_seconds = 0;  // all GPUs: part of `waiting` in which only sends and receives wait
  // Empty if no rank was waited for. Sends and receives don't count.
  std::optional<Straggler> straggler;

  // Of the time of all GPUs.
  double share(double seconds) const;
};

// Of at least one GPU. `span`: of the run.
RankTimes rank_times(std::span<const system::GpuActivity> gpus, Duration span);

}  // namespace septet::analysis
