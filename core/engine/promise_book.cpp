#include "core/engine/promise_book.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/engine/order.hpp"

namespace septet {
namespace {

auto lookaheads(const BorderProcess& process) {
  return std::tuple(process.to_groups, process.to_partitions);
}

}  // namespace

PromiseBook::PromiseBook(const Model& model, std::span<const ProcessId> members)
    : model_(model), entries_(members.size()) {
  number_groups(members);
  std::vector<BorderProcess> border = find_border(model, members);
  sends_ = smallest_lookahead(border) != Channels::kNoChannel;
  std::stable_sort(border.begin(), border.end(),
                   [](const auto& x, const auto& y) { return lookaheads(x) < lookaheads(y); });
  for (std::size_t begin = 0, end = 0; begin < border.size(); begin = end) {
    while (end < border.size() && lookaheads(border[end]) == lookaheads(border[begin])) ++end;
    add_class(std::span(border).subspan(begin, end - begin));
  }
}

void PromiseBook::number_groups(std::span<const ProcessId> members) {
  std::unordered_map<GroupId, std::uint32_t> numbers;
  for (const ProcessId process : members) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    entry_of(process).group = numbers.emplace(model_.processes.group(process), next).first->second;
  }
  groups_.resize(numbers.size());
}

void PromiseBook::add_class(std::span<const BorderProcess> alike) {
  classes_.push_back({.to_groups = alike.front().to_groups,
                      .to_partitions = alike.front().to_partitions,
                      .silent = MinTree<Instant>(alike.size(), Instant{}),
                      .processes = {}});
  for (std::size_t place = 0; place < alike.size(); ++place) {
    classes_.back().processes.push_back(alike[place].process);
    add_promise(alike[place].process, static_cast<std::uint32_t>(place));
  }
}

void PromiseBook::add_promise(ProcessId process, std::uint32_t place_in_class) {
  Entry& entry = entry_of(process);
  entry.promise = static_cast<std::uint32_t>(promises_.size());
  groups_[entry.group].promises.push_back(entry.promise);
  promises_.push_back({.until = {},
                       .period = 0,
                       .group = entry.group,
                       .alike = static_cast<std::uint32_t>(classes_.size() - 1),
                       .place = place_in_class});
}

void PromiseBook::promise(ProcessId process, Instant until) {
  const Entry& entry = entry_of(process);
  Promise& promise = promises_[entry.promise];
  const std::uint64_t period = groups_[entry.group].period;
  promise.until = promise.period == period ? std::max(promise.until, until) : until;
  promise.period = period;
  update(promise);
}

bool PromiseBook::forbids(ProcessId process, Instant now) const {
  const Entry& entry = entry_of(process);
  if (entry.promise == kNone) return false;
  const Promise& promise = promises_[entry.promise];
  return promise.period == groups_[entry.group].period && now < promise.until;
}

bool PromiseBook::is_from_outside(const Event& event) const {
  const ProcessId source = source_of(event.order);
  return source != event.target && !model_.same_group(source, event.target);
}

void PromiseBook::note_pending(const Event& event) {
  if (!sends_ || !is_from_outside(event)) return;
  Group& group = groups_[entry_of(event.target).group];
  group.arrivals.push(event.at);
  if (group.arrivals.top() == event.at) update(group);
}

// Events are handled in the order of their times, so this is the earliest arrival of its group.
void PromiseBook::note_handled(const Event& event) {
  if (!is_from_outside(event)) return;
  Group& group = groups_[entry_of(event.target).group];
  ++group.period;
  if (!sends_) return;
  SEPTET_ASSERT(!group.arrivals.empty() && group.arrivals.top() == event.at);
  group.arrivals.pop();
  update(group);
}

// Going by this promise and what is on its way.
Instant PromiseBook::silent_until(const Promise& promise) const {
  const Group& group = groups_[promise.group];
  if (promise.period != group.period) return Instant{};
  return group.arrivals.empty() ? promise.until : std::min(promise.until, group.arrivals.top());
}

void PromiseBook::update(const Promise& promise) {
  if (!sends_) return;
  classes_[promise.alike].silent.set(promise.place, silent_until(promise));
}

void PromiseBook::update(const Group& group) {
  for (const std::uint32_t promise : group.promises) update(promises_[promise]);
}

void PromiseBook::ask(Instant next) {
  if (!sends_) return;
  for (Class& alike : classes_) ask(alike, next);
}

// Until the answer of the one that is silent for the shortest time changes nothing.
void PromiseBook::ask(Class& alike, Instant next) {
  while (true) {
    const Instant smallest = std::max(next, alike.silent.smallest());
    const ProcessId process = alike.processes[alike.silent.place_of_smallest()];
    const Instant until = model_.processes[process].process->silent_until(next);
    if (until <= smallest) return;
    promise(process, until);
    const Promise& promise = promises_[entry_of(process).promise];
    if (silent_until(promise) <= smallest) return;  // something is on its way
  }
}

// No event can arrive at another group, here or elsewhere, before this.
Instant PromiseBook::first_between_groups(Instant next) const {
  Instant first = Instant::max();
  for (const Class& alike : classes_) {
    const Instant sent = std::max(next, alike.silent.smallest());
    first = std::min(first, add_or_never(sent, alike.to_groups));
  }
  return first;
}

// From `between_groups` on, groups of this partition may wake one another, which ends promises.
Instant PromiseBook::earliest_output(Instant next) const {
  const Instant between_groups = first_between_groups(next);
  Instant first = Instant::max();
  for (const Class& alike : classes_) {
    const Instant silent = std::min(alike.silent.smallest(), between_groups);
    first = std::min(first, add_or_never(std::max(next, silent), alike.to_partitions));
  }
  return first;
}

}  // namespace septet
