#include "core/engine/mailboxes.hpp"

#include <algorithm>
#include <utility>

namespace septet::engine {
namespace {

constexpr std::size_t kBytesAtFirst = 256;

}  // namespace

Mailboxes::Mailboxes(std::size_t threads, std::size_t partitions)
    : threads_(threads), addresses_(partitions), delivered_(threads), prefetched_(threads) {
  for (auto& boxes : boxes_) boxes.resize(threads * threads);
}

void Mailboxes::prefetch_boxes(std::size_t from) {
  if (std::exchange(prefetched_[from].window, window_) == window_) return;
  for (std::size_t home = 0; home < threads_; ++home) {
    Box& out = box(from, home, window_);
    prefetch_for_writing(&out);
    const auto* bytes = reinterpret_cast<const char*>(out.events.data());
    const std::size_t end = std::min(kBytesAtFirst, out.events.capacity() * sizeof(Event));
    for (std::size_t at = 0; at < end; at += kCacheLine) prefetch_for_writing(bytes + at);
  }
}

}  // namespace septet::engine
