// Kinds of events that a GPU schedules for itself.
#pragma once

#include "models/program/protocol.hpp"

namespace septet::gpu_events {

constexpr std::uint16_t kStartWork = kFirstInternalKind;       // a: work
constexpr std::uint16_t kEndWork = kFirstInternalKind + 1;     // a: work
constexpr std::uint16_t kCohortEnd = kFirstInternalKind + 2;   // a: cohort of the block scheduler
constexpr std::uint16_t kStartGraph = kFirstInternalKind + 3;  // a: command
constexpr std::uint16_t kNodeReady = kFirstInternalKind + 4;   // a: graph run, b: node
constexpr std::uint16_t kDispatchStream = kFirstInternalKind + 5;  // a: stream
constexpr std::uint16_t kTrigger = kFirstInternalKind + 6;         // a: grid of the block scheduler
constexpr std::uint16_t kItemEnd = kFirstInternalKind + 7;         // a: item, b: reader's next read
constexpr std::uint16_t kSliceEnd = kFirstInternalKind + 8;        // a: turn
constexpr std::uint16_t kSwitchedOut = kFirstInternalKind + 9;     // a: process
constexpr std::uint16_t kSharedDue = kFirstInternalKind + 10;      // a: process, b: generation
constexpr std::uint16_t kHostNodeEnd = kFirstInternalKind + 11;    // a: graph run, b: node

inline Message event(std::uint16_t kind, std::uint64_t a, std::uint64_t b = 0,
                     Phase phase = Phase::kDefault) {
  return {kind, 0, a, b, phase};
}

}  // namespace septet::gpu_events
