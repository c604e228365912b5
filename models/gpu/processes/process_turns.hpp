// Several processes on one GPU.
//
// Time-sliced (without MPS): one process has the whole GPU for a slice, then all of its blocks are
// switched out and the next process with work runs; a process with nothing to do gives up the rest
// of its slice. Events of a switched-out process wait until it is back. With MPS the processes
// share the GPU like streams of one, and their commands slow the front end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/quantity.hpp"
#include "core/engine/event.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

// Processes are known by their slot on the GPU.
class ProcessTurns {
 public:
  ProcessTurns(const TimeSliceSpec& spec, std::size_t processes, bool mps)
      : spec_(spec),
        sliced_(processes > 1 && !mps),
        active_(sliced_ ? kNone : 0),
        processes_(processes) {}

  bool sliced() const { return sliced_; }
  bool has_gpu(std::uint32_t process) const { return !sliced_ || process == active_; }
  // The process that has the GPU; kNone: none has, which happens with time slices alone.
  std::uint32_t active() const { return active_; }
  // How many processes have commands that have not completed.
  std::size_t busy() const;

  // Whether an event of `process` has to wait until that is back: it is kept until then.
  bool defer(std::uint32_t process, const engine::Event& event);
  // Something happened other than a change of processes.
  void progressed() { idle_turns_ = 0; }

  enum class Arrival : std::uint8_t { kNothing, kGetsGpu, kStartsSlice };
  // A command of the process has arrived; what is to be done about it.
  Arrival arrived(std::uint32_t process);
  // A command of the process has completed. True: it has no others, and another process has some,
  // so it is to be switched out.
  bool completed(std::uint32_t process);

  // The turn of the active process ends one slice after it began, since somebody else waits.
  // Returns when; nullopt: that is known already, or there is no turn.
  std::optional<Instant> start_slice(Instant now);
  // Which turn this is; a slice that ends later than its turn means nothing.
  std::uint64_t turn() const { return turn_; }
  bool in_turn(std::uint64_t turn) const { return turn == turn_ && active_ != kNone; }

  // The active process loses the GPU. Returns how long the change takes.
  Duration switch_out(std::uint64_t resident_blocks, Instant now);
  // The switch is complete. Returns the next process after `from`; kNone: no process has work.
  std::uint32_t switched_out(std::uint32_t from);

  struct Return {
    std::optional<Duration> away;  // since it was switched out; nullopt: it never was
    std::vector<engine::Event> deferred;
  };
  // The process gets the GPU.
  Return switch_in(std::uint32_t process, Instant now);
  bool others_wait(std::uint32_t process) const;

 private:
  struct Process {
    std::uint64_t outstanding = 0;        // commands that have arrived and not completed
    std::vector<engine::Event> deferred;  // what happened while it was switched out
    Instant out = Instant::max();         // since when it is switched out; max(): it is not
  };

  const TimeSliceSpec& spec_;
  const bool sliced_;
  bool switching_ = false;
  bool slice_running_ = false;
  std::uint32_t active_;
  std::uint32_t idle_turns_ = 0;  // turns in a row in which nothing happened
  std::uint64_t turn_ = 0;
  Instant since_;  // of the active process's turn
  std::vector<Process> processes_;
};

}  // namespace septet::gpu
