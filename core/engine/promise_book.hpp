// What the processes of one partition promised not to do (LogicalProcess::silent_until), and the
// earliest time at which anything can reach another partition.
//
// A promise ends at its time, or when its group handles an event from outside the group. So until
// its end, or until the arrival of the earliest outside event that is on its way, the process sends
// nothing out of its group: it is *silent*. A partition without processes that foresee has no book:
// its earliest output follows from the next event and the lookahead alone.
//
// Processes of the same lookaheads form a class, of which only the one that is silent for the
// shortest time matters; a tree of minima finds it, so that a window costs in proportion to what
// happened in it, not to the processes.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "core/engine/border.hpp"
#include "core/engine/min_tree.hpp"

namespace septet {

class PromiseBook {
 public:
  // While no event is pending.
  PromiseBook(const Model& model, std::span<const ProcessId> members);

  // Whether `process` promised at an earlier time to send nothing out of its group now.
  bool forbids(ProcessId process, Instant now) const;

  // An event enters the pending ones, and is about to be handled.
  void note_pending(const Event& event);
  void note_handled(const Event& event);

  // Asks the processes that can tell how long they are silent, those first that are for the
  // shortest time, as far as it helps; the next event here is at `next`.
  void ask(Instant next);

  // No event can arrive at another partition before this, if the next one here is at `next`.
  Instant earliest_output(Instant next) const;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // Of each process here: its group, and its promise where it can send out of that.
  struct Entry {
    std::uint32_t group = kNone;
    std::uint32_t promise = kNone;
  };
  // Times of outside events on their way to a group. An outside event starts a new period, and
  // promises count in the period in which they were made.
  struct Group {
    std::priority_queue<Instant, std::vector<Instant>, std::greater<>> arrivals;
    std::uint64_t period = 0;
    std::vector<std::uint32_t> promises;  // of its processes
  };
  struct Promise {
    Instant until;
    std::uint64_t period = 0;
    std::uint32_t group = kNone;
    std::uint32_t alike = 0;  // its class
    std::uint32_t place = 0;  // in the class
  };
  struct Class {
    Duration to_groups;
    Duration to_partitions;
    MinTree<Instant> silent;           // until when each of its processes is
    std::vector<ProcessId> processes;  // by place
  };

  void number_groups(std::span<const ProcessId> members);
  void add_class(std::span<const BorderProcess> alike);
  void add_promise(ProcessId process, std::uint32_t place_in_class);
  bool is_from_outside(const Event& event) const;
  Entry& entry_of(ProcessId process) { return entries_[model_.processes.place(process)]; }
  const Entry& entry_of(ProcessId process) const {
    return entries_[model_.processes.place(process)];
  }
  Instant silent_until(const Promise& promise) const;
  void update(const Promise& promise);
  void update(const Group& group);
  void ask(Class& alike, Instant next);
  void promise(ProcessId process, Instant until);
  Instant first_between_groups(Instant next) const;

  const Model& model_;
  bool sends_ = false;  // to other partitions; if not, only whether promises are kept matters
  std::vector<Entry> entries_;  // by place in the partition
  std::vector<Group> groups_;
  std::vector<Class> classes_;
  std::vector<Promise> promises_;
};

}  // namespace septet
