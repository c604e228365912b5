// Stage 2, work distribution: assigns the blocks of grids to SMs.
//
// Grids are served by priority, then first in first out; a grid's blocks leave one by one, one per
// block interval, as soon as an SM has free resources; the next grid may use what the first leaves
// free. A block holds its resources for its own time plus an overhead (start of its warps, first
// instruction, drain). Blocks that start together on different SMs form a cohort (at most one block
// on each SM). Its resources become free when its first block ends, since the next cohort starts
// with the same stagger; a grid ends with the last block of its last cohort: the number of events
// grows with waves and blocks per SM, not with blocks. There is no preemption within a process.
//
// Held grids are those whose time is determined elsewhere (shared_run.hpp): their blocks keep their
// resources until released, and `grown` tells which grids got more blocks onto SMs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/slot_pool.hpp"
#include "core/engine/logical_process.hpp"
#include "models/gpu/block_scheduler/sm_pool.hpp"

namespace septet::gpu {

using GridId = std::uint32_t;

struct GridRequest {
  std::uint64_t blocks = 0;
  BlockNeeds needs;
  const SmSet* within = nullptr;  // SMs that its blocks may use; null: all; outlives the grid
  Duration block_time{};
  std::int32_t priority = 0;
  // Gated: each block runs its prologue, then waits until the grid is released, then runs the rest.
  bool gated = false;
  bool by_clock = false;  // time during which its process is switched out counts as well
  bool whole = false;     // its time includes the overhead of its blocks
  bool held = false;      // its blocks stay until they are released
  bool triggers = false;  // report when all blocks have finished their prologue
  Duration prologue{};
};

class BlockScheduler {
 public:
  struct EventKinds {
    std::uint16_t cohort_end = 0;  // `a`: cohort, `b`: owner
    std::uint16_t trigger = 0;     // `a`: grid, `b`: owner
    std::uint32_t owner = 0;       // owner of this block scheduler: returned in `b`
  };

  BlockScheduler(const BlockSchedulerSpec& spec, const SmSpec& sm, std::uint32_t sm_count,
                 EventKinds kinds);

  GridId admit(const GridRequest& request, engine::Context& context);

  // A cohort's blocks have ended, or wait at their gate. Returns the grid if these were its last
  // blocks; its id may be reused afterwards.
  std::optional<GridId> cohort_ended(const engine::Event& event, engine::Context& context);

  // The blocks were switched out for `time` more; called when they run again.
  void add_frozen(Duration time) { frozen_ += time; }

  // What a gated grid waits for ends at `at` (now or later).
  void release(GridId grid, Instant at, engine::Context& context);

  // Held grids that got blocks onto SMs since `grown_seen`.
  const std::vector<GridId>& grown() const { return grown_; }
  void grown_seen();
  // From now on a held grid needs at most `blocks` on SMs at once.
  void shrink_held(GridId grid, std::uint64_t blocks, engine::Context& context);
  // All blocks of a held grid end, and others of it are queued behind grids of higher priority.
  void turn_over_held(GridId grid, engine::Context& context);
  // A held grid has ended; its id may be reused afterwards.
  void end_held(GridId grid, engine::Context& context);
  // The highest priority (lowest number) among grids with blocks that do not fit.
  std::optional<std::int32_t> most_urgent_waiting() const {
    if (waiting_.empty()) return std::nullopt;
    return grids_[waiting_.front()].request.priority;
  }
  // Its first block had to wait for SM resources.
  bool waited_for_room(GridId grid) const { return grids_[grid].waited; }

  // When the grid's first block started.
  Instant started(GridId grid) const { return grids_[grid].started; }
  // Of a grid: blocks on SMs, and blocks that wait for room.
  std::uint64_t running(GridId grid) const { return grids_[grid].running; }
  std::uint64_t unplaced(GridId grid) const { return grids_[grid].unplaced; }
  // Of a gated grid: blocks that have come to the gate so far.
  std::uint64_t at_gate(GridId grid) const { return grids_[grid].blocks_at_gate; }
  GridId grid_of(const engine::Event& cohort_end) const {
    return cohorts_[static_cast<std::uint32_t>(cohort_end.a)].grid;
  }
  std::uint64_t resident_blocks() const { return pool_.resident_blocks(); }

 private:
  struct Grid {
    GridRequest request;
    std::uint64_t unplaced = 0;
    std::uint64_t running = 0;
    Instant started;
    Instant released;  // gated grids: max() until known
    bool any_started = false;
    bool waited = false;                 // did not fit when it arrived
    std::uint64_t order = 0;             // arrival order of grids
    std::vector<std::uint32_t> held;     // held grids: their cohorts
    bool grown = false;                  // is in `grown_`
    std::vector<std::uint32_t> at_gate;  // cohorts
    std::uint64_t blocks_at_gate = 0;    // blocks that have reached it
  };
  struct Cohort {
    GridId grid = 0;
    bool in_prologue = false;
    Duration frozen{};  // how much of frozen_ its end takes into account
    Instant end;        // as far as that is known
    std::vector<std::uint16_t> sms;
  };

  void distribute(engine::Context& context);
  void stand_in_line(GridId grid);
  void leave_line(GridId grid);
  void release_held(Grid& grid, std::uint64_t blocks);
  bool place_cohort(GridId grid, engine::Context& context);
  void start_cohort(Grid& grid, std::uint32_t slot, engine::Context& context);
  void end_at(std::uint32_t cohort, Instant end, engine::Context& context);
  void pass_gate(Grid& grid, std::uint32_t cohort, engine::Context& context);
  Duration overhead(const Grid& grid) const;

  const BlockSchedulerSpec spec_;
  const EventKinds kinds_;
  SmPool pool_;
  SlotPool<Grid> grids_;
  SlotPool<Cohort> cohorts_;
  std::vector<GridId> waiting_;  // grids with unplaced blocks, most urgent and oldest first
  std::vector<GridId> grown_;
  std::uint64_t admitted_ = 0;
  Duration frozen_{};  // how long the blocks were switched out so far
  Instant free_at_;    // the block scheduler has dispatched its last block
};

}  // namespace septet::gpu
