#include "models/gpu/block_scheduler/block_scheduler.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::gpu {
BlockScheduler::BlockScheduler(const BlockSchedulerSpec& spec, const SmSpec& sm,
                               std::uint32_t sm_count, EventKinds kinds)
    : spec_(spec), kinds_(kinds), pool_(sm, sm_count) {}

GridId BlockScheduler::admit(const GridRequest& request, engine::Context& context) {
  const GridId id = grids_.take();
  Grid& grid = grids_[id];
  grid.request = request;
  grid.unplaced = request.blocks;
  grid.running = 0;
  grid.any_started = false;
  grid.released = Instant::max();
  grid.blocks_at_gate = 0;
  grid.order = admitted_++;
  stand_in_line(id);
  distribute(context);
  grid.waited = !grid.any_started;
  return id;
}

// By priority, then by age.
void BlockScheduler::stand_in_line(GridId id) {
  const Grid& grid = grids_[id];
  const auto later = [&](GridId other) {
    const Grid& o = grids_[other];
    return o.request.priority != grid.request.priority ? o.request.priority > grid.request.priority
                                                       : o.order > grid.order;
  };
  waiting_.insert(std::find_if(waiting_.begin(), waiting_.end(), later), id);
}

void BlockScheduler::leave_line(GridId id) {
  waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), id), waiting_.end());
}

void BlockScheduler::distribute(engine::Context& context) {
  std::size_t next = 0;
  const GridRequest* refused = nullptr;  // the last one that did not fit
  while (next < waiting_.size()) {
    const GridId id = waiting_[next];
    const GridRequest& request = grids_[id].request;
    const bool alike =
        refused != nullptr && request.needs == refused->needs && request.within == refused->within;
    if (alike || !place_cohort(id, context)) {
      refused = &request;
      ++next;  // a block of this grid does not fit; a later grid's may be smaller
    } else if (grids_[id].unplaced == 0) {
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(next));
    }
  }
}

Duration BlockScheduler::overhead(const Grid& grid) const {
  if (grid.request.whole) return Duration(0);
  return spec_.block_overhead +
         spec_.block_overhead_per_warp * static_cast<std::int64_t>(grid.request.needs.warps);
}

bool BlockScheduler::place_cohort(GridId id, engine::Context& context) {
  Grid& grid = grids_[id];
  const std::uint32_t slot = cohorts_.take();
  Cohort& cohort = cohorts_[slot];
  cohort.grid = id;
  cohort.sms.clear();
  static const SmSet kAll;
  const SmSet& within = grid.request.within == nullptr ? kAll : *grid.request.within;
  pool_.place_layer(grid.request.needs, grid.unplaced, cohort.sms, within);
  if (cohort.sms.empty()) {
    cohorts_.give_back(slot);
    return false;
  }
  grid.unplaced -= cohort.sms.size();
  grid.running += cohort.sms.size();
  start_cohort(grid, slot, context);
  return true;
}

void BlockScheduler::start_cohort(Grid& grid, std::uint32_t slot, engine::Context& context) {
  Cohort& cohort = cohorts_[slot];
  const GridRequest& request = grid.request;
  const Instant first = std::max(context.now(), free_at_);
  free_at_ = first + spec_.block_interval * static_cast<std::int64_t>(cohort.sms.size());
  if (!grid.any_started) grid.started = first;
  grid.any_started = true;
  if (request.held) {
    grid.held.push_back(slot);
    if (!grid.grown) grown_.push_back(cohort.grid);
    grid.grown = true;
    return;
  }
  cohort.in_prologue = request.gated;
  if (request.triggers && grid.unplaced == 0) {
    engine::Message message;
    message.kind = kinds_.trigger;
    message.a = cohort.grid;
    message.b = kinds_.owner;
    context.schedule(free_at_ + request.prologue - context.now(), message);
  }
  const Duration work = request.gated ? request.prologue : request.block_time + overhead(grid);
  const Instant counted = grid.unplaced == 0 ? free_at_ : first;
  end_at(slot, counted + work, context);
}

void BlockScheduler::end_at(std::uint32_t cohort, Instant end, engine::Context& context) {
  engine::Message message;
  message.kind = kinds_.cohort_end;
  message.a = cohort;
  message.b = kinds_.owner;
  cohorts_[cohort].frozen = frozen_;
  cohorts_[cohort].end = end;
  message.phase = engine::Phase::kCompletion;
  context.schedule(end - context.now(), message);
}

// The cohort's blocks have finished their prologue, and the end of what they wait for is known.
void BlockScheduler::pass_gate(Grid& grid, std::uint32_t slot, engine::Context& context) {
  cohorts_[slot].in_prologue = false;
  const Instant body = std::max(context.now(), grid.released);
  end_at(slot, body + grid.request.block_time - grid.request.prologue + overhead(grid), context);
}

std::optional<GridId> BlockScheduler::cohort_ended(const engine::Event& event,
                                                   engine::Context& context) {
  const auto slot = static_cast<std::uint32_t>(event.a);
  const GridId id = cohorts_[slot].grid;
  Grid& grid = grids_[id];
  const Duration lost = frozen_ - cohorts_[slot].frozen;
  if (lost > Duration(0) && !grid.request.by_clock) {
    end_at(slot, cohorts_[slot].end + lost, context);  // what it missed while switched out
    return std::nullopt;
  }
  if (cohorts_[slot].in_prologue) {
    grid.blocks_at_gate += cohorts_[slot].sms.size();
    if (grid.released == Instant::max()) {
      grid.at_gate.push_back(slot);
    } else {
      pass_gate(grid, slot, context);
    }
    return std::nullopt;
  }
  pool_.release(grid.request.needs, cohorts_[slot].sms);
  grid.running -= cohorts_[slot].sms.size();
  cohorts_.give_back(slot);
  distribute(context);
  if (grids_[id].unplaced > 0 || grids_[id].running > 0) return std::nullopt;
  grids_.give_back(id);
  return id;
}

// Blocks that arrived last leave first.
void BlockScheduler::release_held(Grid& grid, std::uint64_t blocks) {
  grid.running -= blocks;
  while (blocks > 0) {
    std::vector<std::uint16_t>& sms = cohorts_[grid.held.back()].sms;
    const std::uint64_t kept = sms.size() > blocks ? sms.size() - blocks : 0;
    blocks -= sms.size() - kept;
    pool_.release(grid.request.needs, std::span(sms).subspan(kept));
    sms.resize(kept);
    if (kept > 0) continue;
    cohorts_.give_back(grid.held.back());
    grid.held.pop_back();
  }
}

void BlockScheduler::shrink_held(GridId id, std::uint64_t blocks, engine::Context& context) {
  Grid& grid = grids_[id];
  if (grid.running > blocks) release_held(grid, grid.running - blocks);
  grid.unplaced = blocks - grid.running;
  if (grid.unplaced == 0) leave_line(id);
  distribute(context);
}

void BlockScheduler::turn_over_held(GridId id, engine::Context& context) {
  Grid& grid = grids_[id];
  leave_line(id);
  grid.unplaced += grid.running;
  release_held(grid, grid.running);
  stand_in_line(id);
  distribute(context);
}

void BlockScheduler::end_held(GridId id, engine::Context& context) {
  Grid& grid = grids_[id];
  leave_line(id);
  release_held(grid, grid.running);
  grid.grown = false;
  grown_.erase(std::remove(grown_.begin(), grown_.end(), id), grown_.end());
  grids_.give_back(id);
  distribute(context);
}

void BlockScheduler::grown_seen() {
  for (const GridId id : grown_) grids_[id].grown = false;
  grown_.clear();
}

void BlockScheduler::release(GridId id, Instant at, engine::Context& context) {
  Grid& grid = grids_[id];
  grid.released = at;
  for (const std::uint32_t slot : grid.at_gate) pass_gate(grid, slot, context);
  grid.at_gate.clear();
}

}  // namespace septet::gpu
