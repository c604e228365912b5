// Stage 1: the front end takes commands from streams and hardware connections.
//
// A launch starts when it is at the head of its stream and of its connection, its grid can become
// resident, and the events that its stream waits for are recorded; then the latencies of
// FrontEndSpec apply. Copies between host and device have their own engines and queues. Waits and
// records belong to their stream only: they block a connection only through the launch behind them.
// A hold makes the next launch of its stream, and nothing else, start later than it could.
// Programmatic dependent launch: a kernel may start once its predecessor in the stream has
// triggered; its body waits until that has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/fifo.hpp"
#include "core/base/slot_pool.hpp"
#include "core/engine/event.hpp"
#include "models/gpu/front_end/awaited_events.hpp"
#include "models/gpu/front_end/command.hpp"
#include "models/gpu/front_end/connections.hpp"
#include "models/gpu/front_end/resident_grids.hpp"
#include "models/gpu/processes/process_turns.hpp"
#include "models/program/layout.hpp"

namespace septet::gpu {

// A stream in the front end: its commands in order. The first `launched` of them are running; more
// than one only with programmatic dependent launch.
struct StreamQueue {
  std::uint32_t process = 0;  // its slot on this GPU
  Fifo<std::uint32_t> commands;
  Connections::Hold hold;
  bool on_copy_engine = false;  // where its last command ran
  bool triggered = false;       // the last launched kernel has triggered
  records::WaitCause cause = records::WaitCause::kStreamOrder;  // what set `earliest`
  std::uint32_t launched = 0;
  Instant ended;              // its last command ended
  Instant earliest;           // no command of it starts before
  program::Hold held;         // of its next command
  Fifo<std::uint32_t> works;  // of the launched commands; kNone: a graph
};

// A stream whose head may be able to start, and why.
struct StreamTurn {
  std::uint32_t stream = 0;
  records::WaitCause cause = records::WaitCause::kSubmission;
  Duration latency{};  // cause kEvent: until this stream is polled
};

class FrontEnd {
 public:
  struct Setup {
    const program::Program& program;
    const FrontEndSpec& spec;
    std::uint32_t connections = 0;  // of each process
    Bytes inline_memset_max{};      // largest memset that needs no kernel
  };
  FrontEnd(const Setup& setup, const program::DeviceLayout& layout);

  // kSubmitCommand: the command is queued in its stream and in a connection. Returns its index.
  std::uint32_t arrive(const engine::Event& event, Instant now);

  // A stream may be able to continue. True: the caller must ask for its steps with `next`, until
  // kNone; false: a caller that is asking now will come to it.
  bool consider(const StreamTurn& turn) {
    considered_.push_back(turn);
    return considered_.size() == 1;
  }
  enum class StepKind : std::uint8_t {
    kNone,      // all streams that were considered have to wait
    kLaunch,    // the command starts `held` after its time `ready`
    kRecord,    // its event is recorded
    kPass,      // it is done: a wait whose event was recorded, the upload of a graph, a hold
    kLookAgain  // its stream has to be considered again at `at`
  };
  struct Step {
    StepKind kind = StepKind::kNone;
    std::uint32_t command = kNone;
    Instant at{};
  };
  Step next(const ProcessTurns& turns, Instant now);

  // The stream's command that was launched last runs as this work.
  void runs(std::uint32_t stream, std::uint32_t work) { streams_[stream].works.push_back(work); }
  // A work has triggered. True: its stream's next command may start.
  bool trigger(std::uint32_t stream, std::uint32_t work);
  // A command is done: it leaves its stream, and its index may be reused.
  void leave(std::uint32_t command);
  // The work in the stream that started before the command that has just left had ended; kNone:
  // there is none.
  std::uint32_t started_early(std::uint32_t stream) const {
    const StreamQueue& queue = streams_[stream];
    return queue.launched > 0 ? queue.works.front() : kNone;
  }
  // The stream's last launched command has ended; `triggered`: its blocks had triggered early. What
  // follows starts `more` later than otherwise.
  void stream_ended(std::uint32_t stream, bool triggered, Duration more, Instant now);

  const Command& command(std::uint32_t command) const { return commands_[command]; }
  const StreamQueue& stream(std::uint32_t stream) const { return streams_[stream]; }
  std::uint32_t process_of(std::uint32_t stream) const { return streams_[stream].process; }
  // The event that a command records or waits for.
  std::uint32_t event_of(const Command& command) const;
  AwaitedEvents& events() { return events_; }
  ResidentGrids& grids() { return grids_; }
  const ResidentGrids& grids() const { return grids_; }
  const Connections& connections() const { return connections_; }

 private:
  Step take_head(const StreamTurn& turn, const ProcessTurns& turns, Instant now);
  Step record(std::uint32_t stream, std::uint32_t command, Instant now) const;
  Step pass_wait(const StreamTurn& turn, std::uint32_t command, Instant now);
  Step launch(std::uint32_t stream, std::uint32_t command, records::WaitCause cause, Instant now);
  static void hold(StreamQueue& stream, const program::Hold& more);
  void leave_connection(StreamQueue& stream, Instant start, Instant now);
  Instant start_time(Command& command, bool connected, Instant now) const;
  Instant held_until(const Command& command, bool connected, Instant now) const;
  Duration launch_latency(const program::Call& call, bool connected) const;

  const Setup& setup_;
  const program::DeviceLayout& layout_;
  program::Subset<StreamQueue> streams_;
  Connections connections_;
  AwaitedEvents events_;
  ResidentGrids grids_;
  SlotPool<Command> commands_;
  std::vector<StreamTurn> considered_;
  std::size_t at_ = 0;  // in `considered_`
};

// In the header, like the functions below, since every launch passes here.
inline FrontEnd::Step FrontEnd::next(const ProcessTurns& turns, Instant now) {
  for (; at_ < considered_.size(); ++at_) {
    const StreamTurn turn = considered_[at_];
    const Step step = take_head(turn, turns, now);
    if (step.kind == StepKind::kLookAgain) ++at_;
    if (step.kind != StepKind::kNone) return step;
  }
  considered_.clear();
  at_ = 0;
  return {};
}

inline void FrontEnd::leave(std::uint32_t slot) {
  StreamQueue& stream = streams_[commands_[slot].stream];
  SEPTET_ASSERT(stream.commands.front() == slot);
  stream.commands.pop_front();
  if (stream.launched > 0) {
    stream.works.pop_front();
    --stream.launched;
  }
  commands_.give_back(slot);
}

inline void FrontEnd::stream_ended(std::uint32_t index, bool triggered, Duration more,
                                   Instant now) {
  StreamQueue& stream = streams_[index];
  const Duration gap = triggered ? setup_.spec.triggered_stream_gap : setup_.spec.stream_gap;
  stream.ended = now;
  stream.earliest = now + gap + more;
  stream.cause = records::WaitCause::kStreamOrder;
  stream.triggered = false;
}

}  // namespace septet::gpu
