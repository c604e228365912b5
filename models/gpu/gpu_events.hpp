// Kinds of events that a GPU schedules for itself.
#pragma once

#include "models/program/protocol.hpp"

namespace septet::gpu::events {

constexpr std::uint16_t kStartWork = program::kFirstInternalKind;    // a: work
constexpr std::uint16_t kEndWork = program::kFirstInternalKind + 1;  // a: work
constexpr std::uint16_t kCohortEnd =
    program::kFirstInternalKind + 2;  // a: cohort of the block scheduler
constexpr std::uint16_t kStartGraph = program::kFirstInternalKind + 3;      // a: command
constexpr std::uint16_t kNodeReady = program::kFirstInternalKind + 4;       // a: graph run, b: node
constexpr std::uint16_t kDispatchStream = program::kFirstInternalKind + 5;  // a: stream
constexpr std::uint16_t kTrigger =
    program::kFirstInternalKind + 6;  // a: grid of the block scheduler
constexpr std::uint16_t kItemEnd =
    program::kFirstInternalKind + 7;  // a: item, b: reader's next read
constexpr std::uint16_t kSliceEnd = program::kFirstInternalKind + 8;     // a: turn
constexpr std::uint16_t kSwitchedOut = program::kFirstInternalKind + 9;  // a: process
constexpr std::uint16_t kSharedDue = program::kFirstInternalKind + 10;  // a: process, b: generation
constexpr std::uint16_t kHostNodeEnd = program::kFirstInternalKind + 11;  // a: graph run, b: node

inline engine::Message event(std::uint16_t kind, std::uint64_t a, std::uint64_t b = 0,
                             engine::Phase phase = engine::Phase::kDefault) {
  return {kind, 0, a, b, phase};
}

}  // namespace septet::gpu::events
