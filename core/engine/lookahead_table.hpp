// The bounds that the LPs of one partition have given for their next output (earliest_output_time),
// and the earliest time at which anything can reach another partition.
//
// A bound that an LP stated holds until its time, or until the LP's group handles an event from
// outside the group. So before that time, and before the earliest outside event on its way arrives,
// the LP sends nothing out of its group. A partition without LPs of dynamic lookahead has no table:
// its earliest output follows from the next event and the channels' lookahead alone.
//
// LPs of the same lookaheads form a class, of which only the one that may send first matters; a
// tree of minima finds it, so that a window costs in proportion to what happened in it, not to the
// number of LPs.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "core/engine/min_tree.hpp"
#include "core/engine/partition_boundary.hpp"

namespace septet::engine {

class LookaheadTable {
 public:
  // While no event is pending.
  LookaheadTable(const Model& model, std::span<const LpId> members);

  // Whether `lp` stated at an earlier time that it sends nothing out of its group now.
  bool forbids_output(LpId lp, Instant now) const;

  // An event enters the pending ones, and is about to be handled.
  void note_pending(const Event& event);
  void note_handled(const Event& event);

  // Asks LPs for their earliest output time, those first that may send first, as far as it helps;
  // the next event here is at `next`.
  void refresh(Instant next);

  // No event can arrive at another partition before this, if the next one here is at `next`.
  Instant earliest_output(Instant next) const;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // Of each LP here: its group, and its bound where it can send out of that.
  struct Entry {
    std::uint32_t group = kNone;
    std::uint32_t bound = kNone;
  };
  // Times of outside events on their way to a group. Handling one starts a new epoch, and bounds
  // hold in the epoch in which they were stated.
  struct Group {
    std::priority_queue<Instant, std::vector<Instant>, std::greater<>> arrivals;
    std::uint64_t epoch = 0;
    std::vector<std::uint32_t> bounds;  // of its LPs
  };
  struct Bound {
    Instant time;  // nothing is sent out of the group before
    std::uint64_t epoch = 0;
    std::uint32_t group = kNone;
    std::uint32_t lookahead_class = 0;
    std::uint32_t index = 0;  // in the class
  };
  struct LookaheadClass {
    Duration to_groups;
    Duration to_partitions;
    MinTree<Instant> outputs;  // earliest output time of each of its LPs
    std::vector<LpId> lps;     // by index
  };

  void number_groups(std::span<const LpId> members);
  void add_class(std::span<const BoundaryLp> alike);
  void add_bound(LpId lp, std::uint32_t index_in_class);
  bool is_from_outside(const Event& event) const;
  Entry& entry_of(LpId lp) { return entries_[model_.lps.index_in_partition(lp)]; }
  const Entry& entry_of(LpId lp) const { return entries_[model_.lps.index_in_partition(lp)]; }
  Instant effective(const Bound& bound) const;
  void update(const Bound& bound);
  void update(const Group& group);
  void refresh(LookaheadClass& lookahead_class, Instant next);
  const Bound& record(LpId lp, Instant time);
  Instant first_between_groups(Instant next) const;

  const Model& model_;
  bool sends_ = false;          // to other partitions; if not, only whether bounds are kept matters
  std::vector<Entry> entries_;  // by index in the partition
  std::vector<Group> groups_;
  std::vector<LookaheadClass> classes_;
  std::vector<Bound> bounds_;
};

}  // namespace septet::engine
