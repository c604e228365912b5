// Events on their way from one partition to another. What is posted in one window is delivered at
// the start of the next one, so that posting and delivering never touch the same box and need no
// lock.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/event.hpp"
#include "core/engine/process_table.hpp"

namespace septet {

class Mail {
 public:
  explicit Mail(std::size_t partitions);

  // By the thread that runs partition `from`.
  void post(PartitionId from, PartitionId to, const Event& event);

  // By the thread that runs partition `to`: hands over and removes what was posted to it in the
  // last window, in no particular order.
  template <class Function>
  void deliver(PartitionId to, Function&& function);

  // Between windows: what was posted becomes what is delivered. Everything must be delivered.
  void turn();

  // Between windows, after `turn`: the earliest event that waits for `to`, or Instant::max().
  Instant earliest(PartitionId to) const {
    return Instant(addresses_[to].side[1 - posting_].earliest.load(std::memory_order_relaxed));
  }

 private:
  static constexpr std::size_t kBits = 64;
  using Box = std::vector<Event>;

  // What was posted to one partition: from which ones, and for when.
  struct Side {
    std::atomic<std::int64_t> earliest{Instant::max().count()};
    std::vector<std::atomic<std::uint64_t>> senders;  // a bit each
  };
  struct alignas(64) Address {
    Side side[2];
  };

  Box& box(PartitionId from, PartitionId to, unsigned side) {
    return boxes_[side][from * addresses_.size() + to];
  }

  unsigned posting_ = 0;  // which side is being posted to
  std::vector<Address> addresses_;
  std::vector<Box> boxes_[2];  // [sender * partitions + receiver]
};

template <class Function>
void Mail::deliver(PartitionId to, Function&& function) {
  const unsigned delivering = 1 - posting_;
  auto& senders = addresses_[to].side[delivering].senders;
  for (std::size_t word = 0; word < senders.size(); ++word) {
    std::uint64_t bits = senders[word].exchange(0, std::memory_order_relaxed);
    for (; bits != 0; bits &= bits - 1) {
      const auto from =
          static_cast<PartitionId>(word * kBits + static_cast<std::size_t>(std::countr_zero(bits)));
      Box& posted = box(from, to, delivering);
      for (const Event& event : posted) function(event);
      posted.clear();
    }
  }
}

}  // namespace septet
