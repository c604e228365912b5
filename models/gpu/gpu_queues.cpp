// Persistent kernels: blocks that stay resident and take items from a queue in host memory.
//
// A block reads the queue's head over the host link, again and again; a read shows what host memory
// holds half a round trip after it was issued. Having an item, it works, writes the queue's tail
// and waits until that write has arrived (a fence), then reads again. While nothing comes no events
// are needed: the reads' rhythm tells when the next one sees a new item. Only blocks that are on an
// SM read; once the last item is taken, blocks that found no room until then end at once.
#include <algorithm>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {

namespace {

// How many reads come too early for an item that the first one misses by `late`.
std::int64_t reads_in_vain(Duration late, Duration round_trip) {
  if (round_trip == Duration(0)) return 0;
  return (late.count() + round_trip.count() - 1) / round_trip.count();
}

}  // namespace

void Gpu::start_persistent(std::uint32_t work_id, const PersistentWork& work, Context& context) {
  PersistentQueue& queue = queues_[work.queue];
  if (queue.work != kNone) {
    throw ModelError(queue_text(program_, work.queue) +
                     ": a second kernel starts while one takes items from it");
  }
  queue.work = work_id;
  queue.items_left = work.items;
  queue.blocks = 0;
  queue.readers.clear();
  if (work.items == 0) end_persistent(queue, context);
}

// Blocks of a persistent kernel that are on an SM begin to look for items.
void Gpu::blocks_at_gate(std::uint32_t owner, GridId grid, Context& context) {
  const std::uint32_t id = grid_work_[owner][grid];
  if (works_[id].is_collective) return join_collective(id, context);
  const auto* work = std::get_if<PersistentWork>(&program_.kernels[works_[id].object].work);
  if (work == nullptr) return;
  PersistentQueue& queue = queues_[work->queue];
  if (queue.work != id) return;  // it has taken its last item already
  const std::uint64_t blocks = clients_[owner].distributor->at_gate(grid);
  queue.readers.insert(queue.readers.end(), blocks - queue.blocks, context.now());
  queue.blocks = blocks;
  serve_queue(work->queue, context);
}

void Gpu::item_pushed(const Event& event, Context& context) {
  const std::uint32_t id = items_.take();
  QueueItem& item = items_[id];
  item = QueueItem{};
  item.name = unpack(event.a);
  item.call = &calls_of(program_, program_.threads[item.name.thread])[item.name.call];
  item.issued = Instant(static_cast<std::int64_t>(event.b));
  item.pushed = context.now();
  const PushItem& push = as<PushItem>(*item.call);
  PersistentQueue& queue = queues_[push.queue];
  queue.pending.push_back(id);
  queue.shows_items = queue.shows_items || push.kernel != kNone;
  serve_queue(push.queue, context);
}

// Hands waiting items to readers, each at the first read that sees it.
void Gpu::serve_queue(std::uint32_t index, Context& context) {
  const QueueSpec& spec = spec_.queue;
  PersistentQueue& queue = queues_[index];
  while (!queue.pending.empty() && !queue.readers.empty() && queue.items_left > 0) {
    const auto reader = std::min_element(queue.readers.begin(), queue.readers.end());
    const std::uint32_t id = queue.pending.front();
    QueueItem& item = items_[id];
    queue.pending.pop_front();
    const Duration half = spec.read_round_trip / 2;
    const Duration late = std::max(Duration(0), item.pushed - (*reader + half));
    const std::int64_t rounds = reads_in_vain(late, spec.read_round_trip);
    const Instant read = *reader + spec.read_round_trip * (rounds + 1);
    item.seen = std::max(read, item.pushed);
    item.cause = rounds > 0 ? WaitCause::kSubmission : WaitCause::kStreamOrder;
    const Instant done = item.seen + as<PushItem>(*item.call).duration;
    const Instant next = done + spec.fence_round_trip;
    queue.readers.erase(reader);
    --queue.items_left;
    Message message =
        gpu_events::event(gpu_events::kItemEnd, id, static_cast<std::uint64_t>(next.count()));
    context.schedule(std::max(done, context.now()) - context.now(), message);
  }
}

// A block has worked on an item and writes the queue's tail; `next`: it can read again.
void Gpu::item_ended(std::uint32_t id, Instant next, Context& context) {
  const std::uint32_t index = as<PushItem>(*items_[id].call).queue;
  PersistentQueue& queue = queues_[index];
  const Work& work = works_[queue.work];
  emit_item(items_[id], work, context);
  items_.give_back(id);
  context.send(host_of(call_stream(commands_[work.command])),
               std::max(spec_.queue.fence_round_trip / 2, kStoreLatency), item_done(index));
  queue.readers.push_back(next);
  if (queue.items_left == 0 && queue.readers.size() == queue.blocks) {
    return end_persistent(queue, context);
  }
  serve_queue(index, context);
}

// The kernel that an item stands for, as traces show it.
void Gpu::emit_item(const QueueItem& item, const Work& work, Context& context) {
  const Call& call = *item.call;
  const std::uint32_t kernel = as<PushItem>(call).kernel;
  if (kernel == kNone) return;
  extent_.add(item.seen, context.now());
  if (!traced()) return;
  KernelRecord row;
  row.issued = item.issued;
  row.arrived = item.pushed;
  row.ready = row.start = item.seen;
  row.end = context.now();
  row.name = wiring_.kernel_codes[kernel];
  row.blocks = static_cast<std::int64_t>(program_.kernels[kernel].shape.blocks());
  row.stream = static_cast<std::int32_t>(call_stream(commands_[work.command]));
  row.device = static_cast<std::int32_t>(device_);
  row.cause = item.cause;
  row.thread = static_cast<std::int32_t>(item.name.thread);
  row.call = static_cast<std::int64_t>(item.name.call);
  row.correlation = static_cast<std::int64_t>(call.correlation);
  context.emit(wiring_.kernels, row);
}

bool Gpu::shown_by_items(const Work& work) const {
  if (!work.is_kernel || work.is_collective) return false;
  const auto* persistent = std::get_if<PersistentWork>(&program_.kernels[work.object].work);
  return persistent != nullptr && queues_[persistent->queue].shows_items;
}

void Gpu::end_persistent(PersistentQueue& queue, Context& context) {
  const Instant last = queue.readers.empty()
                           ? context.now()
                           : *std::max_element(queue.readers.begin(), queue.readers.end());
  const Work& work = works_[queue.work];
  queue.work = kNone;
  distributor_of(work).release(work.grid, std::max(last, context.now()), context);
}

}  // namespace septet
