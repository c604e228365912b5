// Unordered bags of events, stored in chunks of one pool: the buckets of a CalendarQueue.
//
// A bag is a linked list of chunks. Chunks that a bag gives back are used again last in, first out,
// so that memory that is warm in the cache is written next, and no bag keeps memory it had once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/cache_line.hpp"
#include "core/engine/event.hpp"
#include "core/engine/prefetch.hpp"

namespace septet::engine {

class EventPool {
 public:
  struct Bag {
    std::uint32_t head = 0;  // the chunk being filled; meaningless while the bag is empty
    std::uint32_t count = 0;
  };

  void add(Bag& bag, const Event& event) {
    const std::uint32_t used = bag.count % kChunkEvents;
    if (used == 0) push_chunk(bag);
    chunk(bag.head).events[used] = event;
    ++bag.count;
  }

  // Appends all events of `bag` to `out` and empties the bag.
  void take(Bag& bag, std::vector<Event>& out);

  // Prefetch the first chunk of a bag, and the second one, of a bag whose first is at hand.
  void prefetch_first(const Bag& bag) const {
    if (bag.count > 0) prefetch_chunk(chunk(bag.head));
  }
  void prefetch_second(const Bag& bag) const {
    if (bag.count > kChunkEvents) prefetch_chunk(chunk(chunk(bag.head).next));
  }

  template <class Function>
  void for_each(const Bag& bag, Function&& function) const {
    std::uint32_t left = bag.count;
    for (std::uint32_t index = bag.head; left > 0; index = chunk(index).next) {
      const std::uint32_t here = (left - 1) % kChunkEvents + 1;
      for (std::uint32_t n = 0; n < here; ++n) function(chunk(index).events[n]);
      left -= here;
    }
  }

 private:
  static constexpr std::uint32_t kChunkEvents = 4;
  static constexpr std::uint32_t kSlabChunks = 1U << 6;

  struct Chunk {
    Event events[kChunkEvents];
    std::uint32_t next = 0;  // the chunk filled before, where the bag has one
  };

  static void prefetch_chunk(const Chunk& chunk) {
    const auto* bytes = reinterpret_cast<const char*>(&chunk);
    for (std::size_t offset = 0; offset < sizeof(Chunk); offset += kCacheLine) {
      prefetch(bytes + offset);
    }
  }
  Chunk& chunk(std::uint32_t index) { return slabs_[index / kSlabChunks][index % kSlabChunks]; }
  const Chunk& chunk(std::uint32_t index) const {
    return slabs_[index / kSlabChunks][index % kSlabChunks];
  }
  void push_chunk(Bag& bag);

  std::vector<std::unique_ptr<Chunk[]>> slabs_;  // chunks never move
  std::uint32_t chunks_ = 0;                     // in use or free
  std::vector<std::uint32_t> free_;
};

}  // namespace septet::engine
