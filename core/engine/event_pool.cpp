#include "core/engine/event_pool.hpp"

#include <limits>

#include "core/base/error.hpp"

namespace septet::engine {

void EventPool::push_chunk(Bag& bag) {
  std::uint32_t index = chunks_;
  if (free_.empty()) {
    SEPTET_ASSERT(chunks_ < std::numeric_limits<std::uint32_t>::max());
    if (chunks_ % kSlabChunks == 0) slabs_.push_back(std::make_unique<Chunk[]>(kSlabChunks));
    ++chunks_;
  } else {
    index = free_.back();
    free_.pop_back();
  }
  chunk(index).next = bag.head;
  bag.head = index;
}

void EventPool::take(Bag& bag, std::vector<Event>& out) {
  while (bag.count > 0) {
    const Chunk& taken = chunk(bag.head);
    const std::uint32_t here = (bag.count - 1) % kChunkEvents + 1;
    out.insert(out.end(), taken.events, taken.events + here);
    bag.count -= here;
    free_.push_back(bag.head);
    bag.head = taken.next;
  }
}

}  // namespace septet::engine
