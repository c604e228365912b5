#include "core/engine/lookahead_table.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/engine/order.hpp"

namespace septet::engine {
namespace {

auto lookaheads(const BoundaryLp& lp) { return std::tuple(lp.to_groups, lp.to_partitions); }

}  // namespace

LookaheadTable::LookaheadTable(const Model& model, std::span<const LpId> members)
    : model_(model), entries_(members.size()) {
  number_groups(members);
  std::vector<BoundaryLp> boundary = partition_boundary(model, members);
  sends_ = smallest_lookahead(boundary) != Channels::kNoChannel;
  std::stable_sort(boundary.begin(), boundary.end(),
                   [](const auto& x, const auto& y) { return lookaheads(x) < lookaheads(y); });
  for (std::size_t begin = 0, end = 0; begin < boundary.size(); begin = end) {
    while (end < boundary.size() && lookaheads(boundary[end]) == lookaheads(boundary[begin])) ++end;
    add_class(std::span(boundary).subspan(begin, end - begin));
  }
}

void LookaheadTable::number_groups(std::span<const LpId> members) {
  std::unordered_map<GroupId, std::uint32_t> numbers;
  for (const LpId lp : members) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    entry_of(lp).group = numbers.emplace(model_.lps.group(lp), next).first->second;
  }
  groups_.resize(numbers.size());
}

void LookaheadTable::add_class(std::span<const BoundaryLp> alike) {
  classes_.push_back({.to_groups = alike.front().to_groups,
                      .to_partitions = alike.front().to_partitions,
                      .outputs = MinTree<Instant>(alike.size(), Instant{}),
                      .lps = {}});
  for (std::size_t index = 0; index < alike.size(); ++index) {
    classes_.back().lps.push_back(alike[index].id);
    add_bound(alike[index].id, static_cast<std::uint32_t>(index));
  }
}

void LookaheadTable::add_bound(LpId lp, std::uint32_t index_in_class) {
  Entry& entry = entry_of(lp);
  entry.bound = static_cast<std::uint32_t>(bounds_.size());
  groups_[entry.group].bounds.push_back(entry.bound);
  bounds_.push_back({.time = {},
                     .epoch = 0,
                     .group = entry.group,
                     .lookahead_class = static_cast<std::uint32_t>(classes_.size() - 1),
                     .index = index_in_class});
}

const LookaheadTable::Bound& LookaheadTable::record(LpId lp, Instant time) {
  const Entry& entry = entry_of(lp);
  Bound& bound = bounds_[entry.bound];
  const std::uint64_t epoch = groups_[entry.group].epoch;
  bound.time = bound.epoch == epoch ? std::max(bound.time, time) : time;
  bound.epoch = epoch;
  update(bound);
  return bound;
}

bool LookaheadTable::forbids_output(LpId lp, Instant now) const {
  const Entry& entry = entry_of(lp);
  if (entry.bound == kNone) return false;
  const Bound& bound = bounds_[entry.bound];
  return bound.epoch == groups_[entry.group].epoch && now < bound.time;
}

bool LookaheadTable::is_from_outside(const Event& event) const {
  const LpId source = source_of(event.order);
  return source != event.target && !model_.same_group(source, event.target);
}

void LookaheadTable::note_pending(const Event& event) {
  if (!sends_ || !is_from_outside(event)) return;
  Group& group = groups_[entry_of(event.target).group];
  group.arrivals.push(event.at);
  if (group.arrivals.top() == event.at) update(group);
}

// Events are handled in the order of their times, so this is the earliest arrival of its group.
void LookaheadTable::note_handled(const Event& event) {
  if (!is_from_outside(event)) return;
  Group& group = groups_[entry_of(event.target).group];
  ++group.epoch;
  if (!sends_) return;
  SEPTET_ASSERT(!group.arrivals.empty() && group.arrivals.top() == event.at);
  group.arrivals.pop();
  update(group);
}

// The earliest output by this bound and by what is on its way.
Instant LookaheadTable::effective(const Bound& bound) const {
  const Group& group = groups_[bound.group];
  if (bound.epoch != group.epoch) return Instant{};
  return group.arrivals.empty() ? bound.time : std::min(bound.time, group.arrivals.top());
}

void LookaheadTable::update(const Bound& bound) {
  if (!sends_) return;
  classes_[bound.lookahead_class].outputs.set(bound.index, effective(bound));
}

void LookaheadTable::update(const Group& group) {
  for (const std::uint32_t bound : group.bounds) update(bounds_[bound]);
}

void LookaheadTable::refresh(Instant next) {
  if (!sends_) return;
  for (LookaheadClass& lookahead_class : classes_) refresh(lookahead_class, next);
}

// Until the answer of the LP that may send first changes nothing.
void LookaheadTable::refresh(LookaheadClass& lookahead_class, Instant next) {
  while (true) {
    const Instant smallest = std::max(next, lookahead_class.outputs.smallest());
    const LpId lp = lookahead_class.lps[lookahead_class.outputs.index_of_smallest()];
    const Instant time = model_.lps[lp].lp->earliest_output_time(next);
    if (time <= smallest) return;
    if (effective(record(lp, time)) <= smallest) return;  // something is on its way
  }
}

// No event can arrive at another group, here or elsewhere, before this.
Instant LookaheadTable::first_between_groups(Instant next) const {
  Instant first = Instant::max();
  for (const LookaheadClass& alike : classes_) {
    const Instant sent = std::max(next, alike.outputs.smallest());
    first = std::min(first, add_or_never(sent, alike.to_groups));
  }
  return first;
}

// From `between_groups` on, groups of this partition may wake one another, which ends bounds.
Instant LookaheadTable::earliest_output(Instant next) const {
  const Instant between_groups = first_between_groups(next);
  Instant first = Instant::max();
  for (const LookaheadClass& alike : classes_) {
    const Instant sent = std::min(alike.outputs.smallest(), between_groups);
    first = std::min(first, add_or_never(std::max(next, sent), alike.to_partitions));
  }
  return first;
}

}  // namespace septet::engine
