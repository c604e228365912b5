// What a GPU remembers between events: commands, streams, connections, running graphs and work.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/base/fifo.hpp"
#include "core/base/quantity.hpp"
#include "core/base/slot_pool.hpp"
#include "models/gpu/event_progress.hpp"
#include "models/program/program.hpp"
#include "models/program/protocol.hpp"
#include "models/records/wait_cause.hpp"

namespace septet {

// A command between its arrival at the front end and its completion.
struct Command {
  const Call* call = nullptr;
  CommandName name;
  Instant issued;
  Instant arrived;
  Instant ready;
  std::uint32_t stream = 0;
  std::uint16_t generation = 0;  // of the event it records or waits for
  WaitCause cause = WaitCause::kSubmission;
};

// An event that streams of this GPU wait for.
struct AwaitedEvent {
  EventProgress progress;
  std::vector<std::uint32_t> waiters;  // streams
};

// A stream as the front end sees it: its commands in order. The first `launched` of them run; more
// than one only with programmatic dependent launch.
struct StreamQueue {
  Fifo<std::uint32_t> commands;
  std::uint32_t connection = kNone;  // kNone: it holds none
  std::uint32_t queued = 0;          // its commands in the connection
  Instant held_until;                // it keeps the connection at least so long
  bool on_copy_engine = false;       // where its last command ran
  std::uint32_t launched = 0;
  bool triggered = false;  // the last launched kernel lets its programmatic dependent start
  Instant ended;           // its last command ended
  Instant earliest;        // no command of it starts before
  WaitCause cause = WaitCause::kStreamOrder;  // what set `earliest`
  Fifo<std::uint32_t> works;                  // of the launched commands
};

// One hardware connection: a queue of the launches of all streams that hold it. Only its head is
// looked at, so a launch that waits holds up those of other streams behind it.
struct Connection {
  Fifo<std::uint32_t> commands;
  Instant free_at;          // the front end can take its next command
  std::uint64_t given = 0;  // when it was given to a stream last, by a running number
};

// A stream to look at, and why.
struct PendingPump {
  std::uint32_t stream = 0;
  WaitCause cause = WaitCause::kSubmission;
  Duration latency{};  // cause kEvent: until this stream's turn has come to see the event
};

constexpr std::uint32_t kGateOpen = 0xFFFFFFFEU;  // may start early, has not done so yet

// One launch of a graph.
struct GraphRun {
  std::uint32_t graph = 0;
  std::uint32_t command = 0;
  std::uint32_t remaining = 0;              // nodes that have not ended
  std::vector<std::uint32_t> dependencies;  // by node: how many it still waits for
  std::vector<std::uint32_t> gate;          // by node: started early: its work, or kGateOpen
};

constexpr std::size_t kCopyEngines = 2;  // to the device and from it

// A kernel or copy that runs, and whose it is.
struct Work {
  std::uint32_t command = 0;
  std::uint32_t graph_run = kNone;
  std::uint32_t node = kNone;
  std::uint32_t object = kNone;  // kernel or collective
  bool is_kernel = false;        // or a collective, which is a kernel as well
  bool is_collective = false;
  bool joined = false;                // of a collective: the fabric knows that this rank is there
  bool timed = false;                 // ends after a known time, without being distributed over SMs
  bool gated = false;                 // its body waits for the end of the kernel before it
  bool admitted = false;              // its blocks are in the hands of the distributor
  bool triggered = false;             // it said early that its dependents may be prepared
  std::uint32_t grid = 0;             // of the distributor, once admitted
  std::uint32_t site = kNone;         // of a collective, once it has started
  std::uint64_t blocks = 0;           // operators: of the grid that their library chose
  Instant released = Instant::max();  // gated: when the body may start, once known
  CopyDirection direction = CopyDirection::kHostToDevice;
  bool memset = false;
  bool pinned = true;    // copies: page-locked host memory
  bool inlined = false;  // its data came with the command
  Bytes bytes{};
  Duration duration{};
  Instant ready;
  Instant start;
  Instant begun;     // it starts then or later
  Instant complete;  // of a collective: its last rank was there
  WaitCause cause = WaitCause::kSubmission;

  // What a call or a node of a graph starts.
  template <class Thing>
  void takes(const Thing& what) {
    if (const auto* launch = get_if<LaunchKernel>(what)) {
      is_kernel = true;
      object = launch->kernel;
      duration = launch->recorded;
      timed = duration != kModelled;
    } else if (const auto* join = get_if<JoinCollective>(what)) {
      is_kernel = is_collective = true;
      object = join->collective;
    } else if (const auto* copy = get_if<Copy>(what)) {
      direction = copy->direction;
      bytes = copy->bytes;
      pinned = copy->pinned;
      duration = copy->recorded;
      timed = duration != kModelled;
    } else if (const auto* set = get_if<Memset>(what)) {
      memset = true;
      bytes = set->bytes;
      duration = set->recorded;
      timed = duration != kModelled;
    }
  }
};

// An item of a queue, from the push on.
struct QueueItem {
  const Call* call = nullptr;  // the push
  CommandName name;
  Instant issued;
  Instant pushed;
  Instant seen;  // by the block that works on it
  WaitCause cause = WaitCause::kSubmission;
};

// A queue in host memory and the persistent kernel that serves it.
struct PersistentQueue {
  std::deque<std::uint32_t> pending;  // items
  std::vector<Instant> readers;  // blocks that look for an item: when their last read was issued
  std::uint64_t blocks = 0;      // on SMs
  std::uint64_t items_left = 0;  // until the kernel ends; 0 before it starts
  std::uint32_t work = kNone;    // of the kernel, while it takes items
  bool shows_items = false;      // traces show its items instead of the kernel
};

}  // namespace septet
