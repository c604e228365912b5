// What the processes of one partition promised not to do (Context::promise), and the earliest time
// at which anything can reach another partition.
//
// A promise ends at its time, or when its group handles an event from outside the group. So until
// its end, or until the arrival of the earliest outside event that is on its way, the process sends
// nothing out of its group. A book is made at the first promise of a partition; without one the
// earliest output follows from the next event and the lookahead alone.
#pragma once

#include <functional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/engine/border.hpp"
#include "core/engine/calendar_queue.hpp"

namespace septet {

class PromiseBook {
 public:
  // `pending`: events from outside a group among these count at once.
  PromiseBook(const Model& model, std::span<const ProcessId> members, const CalendarQueue& pending);

  void promise(ProcessId process, Instant until);

  // Whether `process` promised at an earlier time to send nothing out of its group now.
  bool forbids(ProcessId process, Instant now) const;

  // An event enters the pending ones, and is about to be handled.
  void note_pending(const Event& event);
  void note_handled(const Event& event);

  // No event can arrive at another partition before this, if the next one here is at `next`.
  Instant earliest_output(Instant next) const;

 private:
  // Times of outside events on their way to a group. An outside event starts a new period, and
  // promises count in the period in which they were made.
  struct Group {
    std::priority_queue<Instant, std::vector<Instant>, std::greater<>> arrivals;
    std::uint64_t period = 0;
  };
  struct Promise {
    Instant until;
    std::uint64_t period = 0;
    const Group* group = nullptr;
  };

  bool is_from_outside(const Event& event) const;
  Group& group_of(ProcessId process) { return groups_[model_.processes.group(process)]; }
  static Instant end_of(const Promise& promise);
  Instant first_between_groups(Instant next) const;

  const Model& model_;
  std::vector<BorderProcess> border_;
  std::vector<Promise> promises_;  // of the same place in `border_`
  std::unordered_map<ProcessId, std::size_t> places_;
  std::unordered_map<GroupId, Group> groups_;
};

}  // namespace septet
