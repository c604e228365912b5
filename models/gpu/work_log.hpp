// What is kept of a GPU's work once it has ended: rows of traces, from when to when the GPU was
// busy and, where the program has collectives, what it spent its time on.
#pragma once

#include "core/base/extent.hpp"
#include "core/engine/logical_process.hpp"
#include "models/gpu/activity/activity.hpp"
#include "models/gpu/execution/work.hpp"
#include "models/gpu/front_end/command.hpp"
#include "models/gpu/gpu_environment.hpp"
#include "models/gpu/queues/persistent_queues.hpp"
#include "models/records/gpu_records.hpp"

namespace septet::gpu {

class WorkLog {
 public:
  WorkLog(const GpuEnvironment& environment, std::uint32_t device)
      : environment_(environment), device_(device) {}

  void begins(const Work& work) {
    if (metered(work)) activity_.begins(work.begun);
  }
  // `shown`: traces show it, rather than the items that it has worked on.
  void ended(const Work& work, const Command& command, bool shown, engine::Context& context);
  // The kernel that an item of a queue stands for, which ran in `stream`.
  void item_ended(const QueueItem& item, std::uint32_t stream, engine::Context& context);
  void recorded(std::uint32_t event, std::uint32_t stream, Instant at, engine::Context& context);

  ActivityTimes activity() const { return activity_.times(); }
  // Of the works that traces would show, traced or not.
  const Extent& extent() const { return extent_; }

 private:
  bool traced() const { return device_ < environment_.traced_gpus; }
  bool metered(const Work& work) const {
    return work.is_kernel() && !environment_.program.collectives.empty();
  }
  void meter(const Work& work, Instant end);
  void write(const Work& work, const Command& command, engine::Context& context) const;
  records::GpuRecord record_of(const Work& work, const Command& command, Instant end) const;
  std::uint64_t blocks_of(const Work& work) const;

  const GpuEnvironment& environment_;
  const std::uint32_t device_;
  ActivityMeter activity_;
  Extent extent_;
};

}  // namespace septet::gpu
