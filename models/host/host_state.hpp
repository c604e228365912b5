// The state of a host process: the position of its threads, what its streams have completed, who
// waits.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::host {

enum class ThreadPhase : std::uint8_t {
  kReady,          // between calls
  kBusy,           // inside a call that takes CPU time
  kAwaitingGpu,    // in a synchronisation
  kAwaitingRing,   // before a launch: the ring of pending launches is full
  kAwaitingPost,   // for another thread's signal
  kAwaitingItems,  // for a persistent kernel
  kDone,
};

struct ThreadState {
  std::uint32_t program_thread = 0;  // index in Program::threads
  ThreadPhase phase = ThreadPhase::kReady;
  std::uint64_t next_call = 0;
  std::uint32_t waits_left = 0;             // streams that the synchronisation still waits for
  std::uint32_t last_stream = 0xFFFFFFFFU;  // of its last submission
  bool after_synchronization = true;        // no submission since its last synchronisation
  Instant call_begin;
  Instant earliest_return;  // the call's own CPU time has elapsed
  Instant blocked_since;
  Duration waited{};  // of this call, on the GPU, the ring or another thread
};

struct StreamWaiter {
  std::uint32_t thread = 0;    // local index
  std::uint64_t sequence = 0;  // the stream must have completed this many commands
};

// A stream and the ring buffer of its commands.
struct StreamState {
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  std::vector<StreamWaiter> waiters;
  std::vector<std::uint32_t>
      blocked_threads;  // for space in the ring buffer; first come, first served

  std::uint64_t pending() const { return submitted - completed; }
};

// The last record of a CUDA event that this process issued.
struct EventState {
  std::uint32_t stream = 0;
  std::uint64_t sequence = 0;  // 0: never recorded
  std::uint16_t generation = 0;
};

struct SignalWaiter {
  std::uint32_t thread = 0;
  std::uint64_t raised = 0;
};

struct SignalState {
  std::uint64_t raised = 0;
  std::vector<SignalWaiter> waiters;
};

// Items of a queue that the GPU has done, as host memory shows it.
struct QueueState {
  std::uint64_t done = 0;
  std::vector<SignalWaiter> waiters;
};

}  // namespace septet::host
