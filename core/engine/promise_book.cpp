#include "core/engine/promise_book.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/engine/order.hpp"

namespace septet {

PromiseBook::PromiseBook(const Model& model, std::span<const ProcessId> members,
                         const CalendarQueue& pending)
    : model_(model), border_(find_border(model, members)) {
  promises_.resize(border_.size());
  for (std::size_t place = 0; place < border_.size(); ++place) {
    const ProcessId process = border_[place].process;
    places_.emplace(process, place);
    promises_[place].group = &group_of(process);
  }
  pending.for_each([this](const Event& event) { note_pending(event); });
}

void PromiseBook::promise(ProcessId process, Instant until) {
  const auto place = places_.find(process);
  if (place == places_.end()) return;  // can send nothing out of its group anyway
  Promise& promise = promises_[place->second];
  const bool still_holds = promise.period == promise.group->period;
  promise.until = still_holds ? std::max(promise.until, until) : until;
  promise.period = promise.group->period;
}

bool PromiseBook::forbids(ProcessId process, Instant now) const {
  const auto place = places_.find(process);
  if (place == places_.end()) return false;
  const Promise& promise = promises_[place->second];
  return promise.period == promise.group->period && now < promise.until;
}

bool PromiseBook::is_from_outside(const Event& event) const {
  return !model_.same_group(source_of(event.order), event.target);
}

void PromiseBook::note_pending(const Event& event) {
  if (is_from_outside(event)) group_of(event.target).arrivals.push(event.at);
}

// Events are handled in the order of their times, so this is the earliest arrival of its group.
void PromiseBook::note_handled(const Event& event) {
  if (!is_from_outside(event)) return;
  Group& group = group_of(event.target);
  SEPTET_ASSERT(!group.arrivals.empty() && group.arrivals.top() == event.at);
  group.arrivals.pop();
  ++group.period;
}

// Until when nothing leaves, going by this promise alone.
Instant PromiseBook::end_of(const Promise& promise) {
  const Group& group = *promise.group;
  if (promise.period != group.period) return Instant{};
  return group.arrivals.empty() ? promise.until : std::min(promise.until, group.arrivals.top());
}

// No event can arrive at another group, here or elsewhere, before this.
Instant PromiseBook::first_between_groups(Instant next) const {
  Instant first = Instant::max();
  for (std::size_t place = 0; place < border_.size(); ++place) {
    const Instant sent = std::max(next, end_of(promises_[place]));
    first = std::min(first, add_or_never(sent, border_[place].to_groups));
  }
  return first;
}

// From `between_groups` on, groups of this partition may wake one another, which ends promises.
Instant PromiseBook::earliest_output(Instant next) const {
  const Instant between_groups = first_between_groups(next);
  Instant first = Instant::max();
  for (std::size_t place = 0; place < border_.size(); ++place) {
    const Instant silent = std::min(end_of(promises_[place]), between_groups);
    first = std::min(first, add_or_never(std::max(next, silent), border_[place].to_partitions));
  }
  return first;
}

}  // namespace septet
