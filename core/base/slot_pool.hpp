// Numbered slots that are reused once released.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace septet {

// Reusable slots, so that a run of millions of commands needs no allocation. An empty pool owns no
// memory.
template <class T>
class SlotPool {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      if (size_ % kChunk == 0) chunks_.push_back(std::make_unique<T[]>(kChunk));
      return size_++;
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::uint32_t slot) { free_.push_back(slot); }
  // Calls `action` with the number and the content of each slot in use, in ascending order.
  template <class Action>
  void for_each(Action action) const {
    std::vector<bool> free(size_, false);
    for (const std::uint32_t slot : free_) free[slot] = true;
    for (std::uint32_t slot = 0; slot < size_; ++slot) {
      if (!free[slot]) action(slot, (*this)[slot]);
    }
  }
  T& operator[](std::uint32_t slot) { return chunks_[slot / kChunk][slot % kChunk]; }
  const T& operator[](std::uint32_t slot) const { return chunks_[slot / kChunk][slot % kChunk]; }

 private:
  static constexpr std::uint32_t kChunk = 16;

  std::vector<std::unique_ptr<T[]>> chunks_;  // references stay valid while the pool grows
  std::vector<std::uint32_t> free_;
  std::uint32_t size_ = 0;
};

}  // namespace septet
