// The grids of one process on the SMs; with MPS, or one process alone, all grids. The block
// scheduler gives blocks their room; kernels that are timed as a whole share the GPU
// (shared_run.hpp) and end when their share of it has done their work.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/slot_pool.hpp"
#include "models/gpu/block_scheduler/block_scheduler.hpp"
#include "models/gpu/execution/shared_run.hpp"
#include "models/gpu/execution/work.hpp"

namespace septet::gpu {

// Works are known by their numbers in the pool. Events carry `owner`, which says whose they are.
class GridExecution {
 public:
  struct Setup {
    const program::Program& program;
    const GpuSpec& gpu;
    const SmPartitions& partitions;
    SlotPool<Work>& works;
  };
  GridExecution(const Setup& setup, std::uint32_t owner) : setup_(setup), owner_(owner) {}

  // Hands the blocks of a work to the block scheduler. Where the blocks go and how urgent they are
  // follows from its stream.
  void admit(std::uint32_t work, GridRequest request, engine::Context& context);
  // Starts a kernel that is timed as a whole.
  void start_timed(std::uint32_t work, engine::Context& context);
  // What the blocks of a gated grid wait for is over at `at`.
  void release(const Work& work, Instant at, engine::Context& context) {
    blocks_->release(work.grid, at, context);
  }

  // What an event has brought about.
  struct Outcome {
    std::uint32_t ended = kNone;    // this work has ended
    std::uint32_t at_gate = kNone;  // else: more blocks of this one may have come to their gate
  };
  Outcome cohort_ended(const engine::Event& event, engine::Context& context);
  // What was due in the shared run, unless something has changed since. Returns the work that has
  // ended; kNone: none.
  std::uint32_t shared_due(std::uint64_t generation, engine::Context& context);

  // The process loses the GPU, and has it again `away` later. Nothing progresses in between.
  void suspend(Instant now);
  void resume(Duration away, engine::Context& context);

  std::uint32_t work_of(GridId grid) const { return work_of_[grid]; }
  std::uint64_t resident_blocks() const { return blocks_ ? blocks_->resident_blocks() : 0; }
  // Blocks of an admitted work: on SMs, without room, and that have come to their gate.
  std::uint64_t running(const Work& work) const { return blocks_->running(work.grid); }
  std::uint64_t unplaced(const Work& work) const { return blocks_->unplaced(work.grid); }
  std::uint64_t at_gate(const Work& work) const { return blocks_->at_gate(work.grid); }

 private:
  void room_changed(engine::Context& context);
  void schedule_shared(engine::Context& context);

  const Setup& setup_;
  const std::uint32_t owner_;
  std::unique_ptr<BlockScheduler> blocks_;  // null until a grid takes room
  std::unique_ptr<SharedRun> shared_;       // null until a kernel is timed as a whole
  std::uint64_t generation_ = 0;            // of what is due in the shared run
  SharedRun::Due due_;
  std::vector<std::uint32_t> work_of_;  // by grid
};

}  // namespace septet::gpu
