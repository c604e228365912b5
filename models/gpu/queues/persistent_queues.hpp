// Persistent kernels: blocks that stay resident and take items from a queue in host memory.
//
// A block reads the queue's head over the host link, again and again; a read shows what host memory
// holds half a round trip after it was issued. Having an item, it works, writes the queue's tail
// and waits until that write has arrived (a fence), then reads again. While no item arrives no
// events are needed: the period of the reads determines when the next one sees a new item. Only
// blocks that are on an SM read; once the last item is taken, blocks that found no room until then
// end at once.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/base/quantity.hpp"
#include "core/base/slot_pool.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"
#include "models/program/protocol.hpp"
#include "models/records/wait_cause.hpp"

namespace septet::gpu {

// An item of a queue, from the push on.
struct QueueItem {
  const program::Call* call = nullptr;  // the push
  program::CommandName name;
  Instant issued;
  Instant pushed;
  Instant seen;  // by the block that works on it
  records::WaitCause cause = records::WaitCause::kSubmission;

  const program::PushItem& push() const { return program::as<program::PushItem>(*call); }
};

class PersistentQueues {
 public:
  PersistentQueues(const QueueSpec& spec, const program::Program& program)
      : spec_(spec), program_(program), queues_(program.queues) {}

  // A kernel starts to take items from a queue, `work` by its number. True: it takes none, and its
  // blocks can end. Throws ModelError where another kernel takes items.
  bool start(const program::PersistentWork& kernel, std::uint32_t work);
  // So many blocks of the kernel are on SMs by now. False: it has taken its last item already.
  bool add_blocks(const program::PersistentWork& kernel, std::uint32_t work, std::uint64_t blocks,
                  Instant now);
  // An item lies in host memory. Returns its queue.
  std::uint32_t push(const QueueItem& item);

  // A block has taken an item: it is done with it at `done` and can read again at `next`.
  struct Taken {
    std::uint32_t item = 0;
    Instant done;
    Instant next;
  };
  // The next of the queue's waiting items that a block takes; nullopt: none.
  std::optional<Taken> take(std::uint32_t queue);
  // A block is done with an item, whose number may be used again. True: it was the last one, and no
  // other block works.
  bool end(std::uint32_t item, Instant next);
  // The kernel takes no more items. Returns when its last block leaves.
  Instant finish(std::uint32_t queue, Instant now);

  const QueueItem& item(std::uint32_t item) const { return items_[item]; }
  // The kernel that takes items, by its work.
  std::uint32_t work(std::uint32_t queue) const { return queues_[queue].work; }
  std::uint64_t items_left(std::uint32_t queue) const { return queues_[queue].items_left; }
  std::uint64_t items_waiting(std::uint32_t queue) const { return queues_[queue].pending.size(); }
  // Traces show its items instead of its kernel.
  bool shows_items(std::uint32_t queue) const { return queues_[queue].shows_items; }

 private:
  struct Queue {
    std::deque<std::uint32_t> pending;  // items
    std::vector<Instant> readers;  // blocks that look for an item: when their last read was issued
    std::uint64_t blocks = 0;      // on SMs
    std::uint64_t items_left = 0;  // until the kernel ends; 0 before it starts
    std::uint32_t work = kNone;    // of the kernel, while it takes items
    bool shows_items = false;
  };

  const QueueSpec& spec_;
  const program::Program& program_;
  std::vector<Queue> queues_;
  SlotPool<QueueItem> items_;
};

}  // namespace septet::gpu
