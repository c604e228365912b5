// The grids of one process on the SMs; with MPS or a single process, all grids. The block scheduler
// places blocks; kernels that are timed as a whole share the GPU (shared_run.hpp) and end when
// their work is done.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/slot_pool.hpp"
#include "models/gpu/block_scheduler/block_scheduler.hpp"
#include "models/gpu/execution/shared_run.hpp"
#include "models/gpu/execution/work.hpp"

namespace septet::gpu {

// Works are identified by their index in the pool. Events carry their `owner`.
class GridExecution {
 public:
  struct Setup {
    const program::Program& program;
    const GpuSpec& gpu;
    const SmPartitions& partitions;
    SlotPool<Work>& works;
  };
  GridExecution(const Setup& setup, std::uint32_t owner) : setup_(setup), owner_(owner) {}

  // Passes the blocks of a work to the block scheduler. Their SMs and priority follow from the
  // stream.
  void admit(std::uint32_t work, GridRequest request, engine::Context& context);
  // Starts a kernel that is timed as a whole.
  void start_timed(std::uint32_t work, engine::Context& context);
  // What the blocks of a gated grid wait for ends at `at`.
  void release(const Work& work, Instant at, engine::Context& context) {
    blocks_->release(work.grid, at, context);
  }

  // What an event has brought about.
  struct Outcome {
    std::uint32_t ended = kNone;    // this work has ended
    std::uint32_t at_gate = kNone;  // else: more blocks of this one may have reached their gate
  };
  Outcome cohort_ended(const engine::Event& event, engine::Context& context);
  // Handles what was due in the shared run, unless something has changed since. Returns the work
  // that has ended; kNone: none.
  std::uint32_t shared_due(std::uint64_t generation, engine::Context& context);

  // The process loses the GPU and gets it back `away` later. Nothing progresses in between.
  void suspend(Instant now);
  void resume(Duration away, engine::Context& context);

  std::uint32_t work_of(GridId grid) const { return work_of_[grid]; }
  std::uint64_t resident_blocks() const { return blocks_ ? blocks_->resident_blocks() : 0; }
  // Blocks of an admitted work: on SMs, not placed, and at their gate.
  std::uint64_t running(const Work& work) const { return blocks_->running(work.grid); }
  std::uint64_t unplaced(const Work& work) const { return blocks_->unplaced(work.grid); }
  std::uint64_t at_gate(const Work& work) const { return blocks_->at_gate(work.grid); }

 private:
  void room_changed(engine::Context& context);
  void schedule_shared(engine::Context& context);

  const Setup& setup_;
  const std::uint32_t owner_;
  std::unique_ptr<BlockScheduler> blocks_;  // null until a grid uses SM resources
  std::unique_ptr<SharedRun> shared_;       // null until a kernel is timed as a whole
  std::uint64_t generation_ = 0;            // of what is due in the shared run
  SharedRun::Due due_;
  std::vector<std::uint32_t> work_of_;  // by grid
};

}  // namespace septet::gpu
