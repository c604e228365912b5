#include "models/gpu/persistent_kernels.hpp"

#include <algorithm>

#include "models/gpu/gpu_events.hpp"

namespace septet::gpu {

const program::PersistentWork* PersistentKernels::description_of(const Work& work) const {
  if (work.kind != WorkKind::kKernel) return nullptr;
  return std::get_if<program::PersistentWork>(&environment_.program.kernels[work.object].work);
}

void PersistentKernels::start(std::uint32_t work, const program::PersistentWork& description,
                              engine::Context& context) {
  if (queues_.start(description, work)) end(description.queue, context);
}

void PersistentKernels::blocks_at_gate(std::uint32_t work,
                                       const program::PersistentWork& description,
                                       engine::Context& context) {
  const Work& kernel = execution_[work];
  const std::uint64_t blocks = execution_.grids_of(kernel).at_gate(kernel);
  if (!queues_.add_blocks(description, work, blocks, context.now())) return;
  serve(description.queue, context);
}

void PersistentKernels::item_pushed(const engine::Event& event, engine::Context& context) {
  const program::Program& program = environment_.program;
  QueueItem item;
  item.name = program::unpack(event.a);
  item.call = &calls_of(program, program.threads[item.name.thread])[item.name.call];
  item.issued = Instant(static_cast<std::int64_t>(event.b));
  item.pushed = context.now();
  serve(queues_.push(item), context);
}

void PersistentKernels::serve(std::uint32_t queue, engine::Context& context) {
  while (const auto taken = queues_.take(queue)) {
    const auto next = static_cast<std::uint64_t>(taken->next.count());
    context.schedule(std::max(taken->done, context.now()) - context.now(),
                     events::event(events::kItemEnd, taken->item, next));
  }
}

// A block has worked on an item and writes the queue's tail; `next`: it can read again.
void PersistentKernels::item_ended(std::uint32_t id, Instant next, engine::Context& context) {
  const std::uint32_t queue = queues_.item(id).push().queue;
  const std::uint32_t stream = execution_[queues_.work(queue)].stream;
  log_.item_ended(queues_.item(id), stream, context);
  const Duration fence = environment_.spec.queue.fence_round_trip;
  context.send(environment_.hosts[environment_.program.streams[stream].process],
               std::max(fence / 2, program::kStoreLatency), program::item_done(queue));
  return queues_.end(id, next) ? end(queue, context) : serve(queue, context);
}

void PersistentKernels::end(std::uint32_t queue, engine::Context& context) {
  const Work& kernel = execution_[queues_.work(queue)];
  const Instant last = queues_.finish(queue, context.now());
  execution_.grids_of(kernel).release(kernel, last, context);
}

}  // namespace septet::gpu
