#include "core/engine/event_pool.hpp"

#include <limits>

#include "core/base/error.hpp"

namespace septet {

void EventPool::push_chunk(Bag& bag) {
  std::uint32_t chunk = 0;
  if (free_.empty()) {
    SEPTET_ASSERT(chunks_.size() < std::numeric_limits<std::uint32_t>::max());
    chunk = static_cast<std::uint32_t>(chunks_.size());
    chunks_.emplace_back();
  } else {
    chunk = free_.back();
    free_.pop_back();
  }
  chunks_[chunk].next = bag.head;
  bag.head = chunk;
}

void EventPool::take(Bag& bag, std::vector<Event>& out) {
  while (bag.count > 0) {
    const Chunk& chunk = chunks_[bag.head];
    const std::uint32_t here = (bag.count - 1) % kChunkEvents + 1;
    out.insert(out.end(), chunk.events, chunk.events + here);
    bag.count -= here;
    free_.push_back(bag.head);
    bag.head = chunk.next;
  }
}

}  // namespace septet
