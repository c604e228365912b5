// Work from its start to its end: kernels on the SMs (grid_execution.hpp), copies and memsets
// (copy_engines.hpp). Work with a recorded duration keeps it and uses no SM resources, unless
// recorded kernels are set to share: their durations already include the effects of sharing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/slot_pool.hpp"
#include "models/gpu/execution/copy_engines.hpp"
#include "models/gpu/execution/grid_execution.hpp"
#include "models/gpu/execution/kernel_needs.hpp"

namespace septet::gpu {

class Execution {
 public:
  struct Setup {
    const program::Program& program;
    const GpuSpec& gpu;
    const KernelNeeds& needs;
    bool recorded_share = false;  // recorded kernels that overlap slow each other
    ByteRate host_copy_rate{};    // of copies from host memory to host memory
  };
  // `owners`: how many processes have separate grids, as time-sliced ones do.
  Execution(const Setup& setup, std::uint32_t device, const std::vector<double>& sm_shares,
            std::size_t owners);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  std::uint32_t add(const Work& work) {
    const std::uint32_t id = works_.take();
    works_[id] = work;
    return id;
  }
  Work& operator[](std::uint32_t work) { return works_[work]; }
  const Work& operator[](std::uint32_t work) const { return works_[work]; }
  const SlotPool<Work>& works() const { return works_; }
  // The number of a completed work may be reused afterwards.
  void remove(std::uint32_t work) { works_.give_back(work); }

  // The work starts `delay` from now: kStartWork is scheduled, or at once kEndWork where its end is
  // known.
  void begin(std::uint32_t work, Duration delay, engine::Context& context);
  // Starts a copy, memset or kernel other than those of collectives.
  void start(std::uint32_t work, engine::Context& context);
  // Passes blocks of a work to the block scheduler.
  void admit(std::uint32_t work, const GridRequest& request, engine::Context& context) {
    grids_of(works_[work]).admit(work, request, context);
  }
  // What a gated work waits for ends at `at`.
  void release(std::uint32_t work, Instant at, engine::Context& context);

  GridExecution& grids(std::uint32_t owner) { return grids_[owner]; }
  GridExecution& grids_of(const Work& work) { return grids_[work.owner]; }
  const GridExecution& grids_of(const Work& work) const { return grids_[work.owner]; }

 private:
  void start_copy(std::uint32_t work, engine::Context& context);
  void start_blocks(std::uint32_t work, const program::Kernel& kernel, engine::Context& context);

  const Setup& setup_;
  const std::uint32_t device_;
  const SmPartitions partitions_;
  SlotPool<Work> works_;
  CopyEngines copy_engines_;
  const GridExecution::Setup grid_setup_;
  std::vector<GridExecution> grids_;  // by owner
};

}  // namespace septet::gpu
