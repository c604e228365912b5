#include "models/gpu/queues/persistent_queues.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "models/program/waiting.hpp"

namespace septet::gpu {
namespace {

// How many reads come too early for an item that the first one misses by `late`.
std::int64_t reads_in_vain(Duration late, Duration round_trip) {
  if (round_trip == Duration(0)) return 0;
  return (late.count() + round_trip.count() - 1) / round_trip.count();
}

}  // namespace

bool PersistentQueues::start(const program::PersistentWork& kernel, std::uint32_t work) {
  Queue& queue = queues_[kernel.queue];
  if (queue.work != kNone) {
    throw ModelError(queue_text(program_, kernel.queue) +
                     ": a second kernel starts while one takes items from it");
  }
  queue.work = work;
  queue.items_left = kernel.items;
  queue.blocks = 0;
  queue.readers.clear();
  return kernel.items == 0;
}

bool PersistentQueues::add_blocks(const program::PersistentWork& kernel, std::uint32_t work,
                                  std::uint64_t blocks, Instant now) {
  Queue& queue = queues_[kernel.queue];
  if (queue.work != work) return false;
  queue.readers.insert(queue.readers.end(), blocks - queue.blocks, now);
  queue.blocks = blocks;
  return true;
}

std::uint32_t PersistentQueues::push(const QueueItem& item) {
  const std::uint32_t id = items_.take();
  items_[id] = item;
  const program::PushItem& push = item.push();
  Queue& queue = queues_[push.queue];
  queue.pending.push_back(id);
  queue.shows_items = queue.shows_items || push.kernel != kNone;
  return push.queue;
}

// The block whose read was issued first takes the item at its first read that sees it.
std::optional<PersistentQueues::Taken> PersistentQueues::take(std::uint32_t index) {
  Queue& queue = queues_[index];
  if (queue.pending.empty() || queue.readers.empty() || queue.items_left == 0) return std::nullopt;
  const auto reader = std::min_element(queue.readers.begin(), queue.readers.end());
  Taken taken;
  taken.item = queue.pending.front();
  queue.pending.pop_front();
  QueueItem& item = items_[taken.item];
  const Duration half = spec_.read_round_trip / 2;
  const Duration late = std::max(Duration(0), item.pushed - (*reader + half));
  const std::int64_t rounds = reads_in_vain(late, spec_.read_round_trip);
  const Instant read = *reader + spec_.read_round_trip * (rounds + 1);
  item.seen = std::max(read, item.pushed);
  item.cause = rounds > 0 ? records::WaitCause::kSubmission : records::WaitCause::kStreamOrder;
  taken.done = item.seen + item.push().duration;
  taken.next = taken.done + spec_.fence_round_trip;
  queue.readers.erase(reader);
  --queue.items_left;
  return taken;
}

bool PersistentQueues::end(std::uint32_t item, Instant next) {
  Queue& queue = queues_[items_[item].push().queue];
  items_.give_back(item);
  queue.readers.push_back(next);
  return queue.items_left == 0 && queue.readers.size() == queue.blocks;
}

Instant PersistentQueues::finish(std::uint32_t index, Instant now) {
  Queue& queue = queues_[index];
  queue.work = kNone;
  if (queue.readers.empty()) return now;
  return std::max(now, *std::max_element(queue.readers.begin(), queue.readers.end()));
}

}  // namespace septet::gpu
