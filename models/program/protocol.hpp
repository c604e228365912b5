// Messages between hosts and GPUs.
//
// A host submits a command as a reference to the call that made it; the GPU finds the rest in the
// Program, which is immutable during a run. When a command has completed, the GPU notifies the
// process that submitted it; commands of one stream complete in order, so the stream's index
// identifies the command.
#pragma once

#include <cstdint>

#include "core/base/error.hpp"
#include "core/engine/event.hpp"

namespace septet::program {

// Kinds of events that cross between host and GPU. Each side numbers its own events from
// kFirstInternalKind.
constexpr std::uint16_t kSubmitCommand = 0;      // host -> GPU
constexpr std::uint16_t kCommandComplete = 1;    // GPU -> host
constexpr std::uint16_t kEventRecorded = 2;      // GPU -> GPU: an event that other devices wait for
constexpr std::uint16_t kItemPushed = 3;         // host -> GPU: an item lies in host memory
constexpr std::uint16_t kItemDone = 4;           // GPU -> host
constexpr std::uint16_t kCollectiveArrived = 5;  // GPU -> rendezvous: a rank's kernel is on its SMs
constexpr std::uint16_t kCollectiveDone = 6;     // rendezvous -> GPU
constexpr std::uint16_t kFirstInternalKind = 16;

// A store to a queue in host memory is there in the next instant: the least delay of kItemPushed.
constexpr Duration kStoreLatency{1};

struct CommandName {
  std::uint32_t thread = 0;  // index in Program::threads, below 2^24
  std::uint64_t call = 0;    // index in its calls, below 2^40
};

constexpr std::uint64_t pack(CommandName name) {
  return (static_cast<std::uint64_t>(name.thread) << 40) | name.call;
}
constexpr CommandName unpack(std::uint64_t word) {
  return {static_cast<std::uint32_t>(word >> 40), word & ((std::uint64_t{1} << 40) - 1)};
}

// `generation`: how often the event of a record or wait had been recorded by then, modulo 2^16.
constexpr engine::Message submit_command(CommandName name, Instant issued,
                                         std::uint16_t generation) {
  return {kSubmitCommand, generation, pack(name), static_cast<std::uint64_t>(issued.count()),
          engine::Phase::kArrival};
}

constexpr engine::Message command_complete(std::uint32_t stream) {
  return {kCommandComplete, 0, stream, 0, engine::Phase::kCompletion};
}

constexpr engine::Message item_pushed(CommandName name, Instant issued) {
  return {kItemPushed, 0, pack(name), static_cast<std::uint64_t>(issued.count()),
          engine::Phase::kArrival};
}

constexpr engine::Message item_done(std::uint32_t queue) {
  return {kItemDone, 0, queue, 0, engine::Phase::kCompletion};
}

constexpr engine::Message event_recorded(std::uint32_t event, std::uint16_t generation) {
  return {kEventRecorded, generation, event, 0, engine::Phase::kCompletion};
}

// `call`: the collective's number in the call table (models/network/rendezvous/call_table.hpp);
// `work`: the GPU's own number: it comes back.
constexpr engine::Message collective_arrived(std::uint32_t call, std::uint32_t work,
                                             std::uint32_t device, std::uint32_t stream) {
  return {kCollectiveArrived, 0, (static_cast<std::uint64_t>(call) << 32) | work,
          (static_cast<std::uint64_t>(device) << 32) | stream, engine::Phase::kArrival};
}

// `complete`: when its last rank was there.
constexpr engine::Message collective_done(std::uint32_t work, Instant complete) {
  return {kCollectiveDone, 0, work, static_cast<std::uint64_t>(complete.count()),
          engine::Phase::kCompletion};
}

// True when generation `done` is `wanted` or later, as long as fewer than 2^15 records of one event
// are under way at once.
constexpr bool reached(std::uint16_t done, std::uint16_t wanted) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(done - wanted)) >= 0;
}

}  // namespace septet::program
