#include "core/engine/mail.hpp"

namespace septet {

// Relaxed atomics suffice: the barrier between two windows orders posting before delivery.

Mail::Mail(std::size_t partitions) : addresses_(partitions) {
  for (Address& address : addresses_) {
    for (Side& side : address.side) {
      side.senders = std::vector<std::atomic<std::uint64_t>>((partitions + kBits - 1) / kBits);
    }
  }
  for (auto& boxes : boxes_) boxes.resize(partitions * partitions);
}

void Mail::post(PartitionId from, PartitionId to, const Event& event) {
  Box& out = box(from, to, posting_);
  const bool first = out.empty();
  out.push_back(event);
  Side& side = addresses_[to].side[posting_];
  if (first) {
    side.senders[from / kBits].fetch_or(std::uint64_t{1} << (from % kBits),
                                        std::memory_order_relaxed);
  }
  std::int64_t known = side.earliest.load(std::memory_order_relaxed);
  while (event.at.count() < known &&
         !side.earliest.compare_exchange_weak(known, event.at.count(), std::memory_order_relaxed)) {
  }
}

void Mail::turn() {
  posting_ = 1 - posting_;
  for (Address& address : addresses_) {
    address.side[posting_].earliest.store(Instant::max().count(), std::memory_order_relaxed);
  }
}

}  // namespace septet
