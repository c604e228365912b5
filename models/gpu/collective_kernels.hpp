// Collectives on a GPU: kernels with one block per channel, which stay on their SMs until all ranks
// have done their part.
#pragma once

#include "core/engine/logical_process.hpp"
#include "models/gpu/execution/execution.hpp"
#include "models/gpu/gpu_environment.hpp"
#include "models/gpu/horizon/horizon_progress.hpp"

namespace septet::gpu {

class CollectiveKernels {
 public:
  // The others must outlive this.
  CollectiveKernels(const GpuEnvironment& environment, std::uint32_t device, Execution& execution,
                    HorizonProgress& horizon)
      : environment_(environment), device_(device), execution_(execution), horizon_(horizon) {}

  // A collective, called by `thread` or part of a graph that it launched, starts.
  void start(std::uint32_t work, const program::HostThread& thread, engine::Context& context);
  // Blocks of it have reached their SMs: once all have, this rank has arrived.
  void join(std::uint32_t work, engine::Context& context);
  // All ranks are done; `complete`: when the last one arrived. True: the work has ended.
  bool done(std::uint32_t work, Instant complete, engine::Context& context);

 private:
  const GpuEnvironment& environment_;
  const std::uint32_t device_;
  Execution& execution_;
  HorizonProgress& horizon_;
};

}  // namespace septet::gpu
