// Numbered slots that are used again once they are given back.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace septet {

// Slots that are used again, so that a run of millions of commands needs no allocation.
template <class T>
class SlotPool {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::uint32_t slot) { free_.push_back(slot); }
  // Calls `action` with the number and the content of each slot in use, in ascending order.
  template <class Action>
  void for_each(Action action) const {
    std::vector<bool> free(slots_.size(), false);
    for (const std::uint32_t slot : free_) free[slot] = true;
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (!free[slot]) action(slot, slots_[slot]);
    }
  }
  T& operator[](std::uint32_t slot) { return slots_[slot]; }
  const T& operator[](std::uint32_t slot) const { return slots_[slot]; }

 private:
  std::deque<T> slots_;  // references stay valid while the pool grows
  std::vector<std::uint32_t> free_;
};

}  // namespace septet
