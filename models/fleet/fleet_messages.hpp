// What router and replicas tell one another, and themselves. `a` is a request and its attempt.
#pragma once

#include <cstdint>

#include "core/engine/logical_process.hpp"

namespace septet::fleet {

constexpr engine::LpId kRouterLp = 0;
constexpr engine::LpId lp_of_replica(std::uint32_t replica) { return 1 + replica; }

struct Attempt {
  std::uint32_t request = 0;
  std::uint32_t number = 1;

  friend bool operator==(const Attempt&, const Attempt&) = default;
};
constexpr std::uint64_t packed(Attempt attempt) {
  return std::uint64_t{attempt.number} << 32 | attempt.request;
}
constexpr Attempt attempt_of(std::uint64_t value) {
  return {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
}

// Router to replica.
constexpr std::uint16_t kRequest = 0;
constexpr std::uint16_t kFail = 1;
// Router to a decode replica: the prompt is computed; `b` is the prefill replica.
constexpr std::uint16_t kReceive = 13;
// Decode replica to prefill replica: its blocks are free.
constexpr std::uint16_t kRelease = 14;
// Replica to router.
constexpr std::uint16_t kEnded = 2;       // completed or refused
constexpr std::uint16_t kPrefilled = 15;  // `b` is the prefill replica
// Within a replica.
constexpr std::uint16_t kTransferred = 16;  // `a` is the tag
constexpr std::uint16_t kQueued = 3;        // the request has passed the front end
constexpr std::uint16_t kWake = 4;          // all that arrived at this instant is there
constexpr std::uint16_t kGpuBegins = 5;
constexpr std::uint16_t kStepEnds = 6;
// Within the router.
constexpr std::uint16_t kArrival = 7;    // of the next request in the workload's order
constexpr std::uint16_t kFollowUp = 8;   // `a` is the request
constexpr std::uint16_t kFailure = 9;    // `a` is its number in the list
constexpr std::uint16_t kRepaired = 10;  // `a` is the replica
constexpr std::uint16_t kScale = 11;
constexpr std::uint16_t kStarted = 12;  // `a` is the replica

}  // namespace septet::fleet
