// Persistent kernels on a GPU, which take items from queues in host memory (queues/): their blocks
// stand at the gate of their grid until the last item is done.
#pragma once

#include "core/engine/logical_process.hpp"
#include "models/gpu/execution/execution.hpp"
#include "models/gpu/gpu_environment.hpp"
#include "models/gpu/queues/persistent_queues.hpp"
#include "models/gpu/work_log.hpp"

namespace septet::gpu {

class PersistentKernels {
 public:
  // The others must outlive this.
  PersistentKernels(const GpuEnvironment& environment, Execution& execution, WorkLog& log)
      : environment_(environment),
        execution_(execution),
        log_(log),
        queues_(environment.spec.queue, environment.program) {}

  // nullptr: not one of them.
  const program::PersistentWork* description_of(const Work& work) const;
  const PersistentQueues& queues() const { return queues_; }

  // One of them has started; blocks of it have come to their gate.
  void start(std::uint32_t work, const program::PersistentWork& description,
             engine::Context& context);
  void blocks_at_gate(std::uint32_t work, const program::PersistentWork& description,
                      engine::Context& context);
  // kItemPushed, kItemEnd.
  void item_pushed(const engine::Event& event, engine::Context& context);
  void item_ended(std::uint32_t item, Instant next, engine::Context& context);

 private:
  void serve(std::uint32_t queue, engine::Context& context);
  void end(std::uint32_t queue, engine::Context& context);

  const GpuEnvironment& environment_;
  Execution& execution_;
  WorkLog& log_;
  PersistentQueues queues_;
};

}  // namespace septet::gpu
