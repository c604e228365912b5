// Which buckets of a ring hold events: a bit each, so that empty stretches are skipped 64 at a
// time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace septet::engine {

class BucketBitmap {
 public:
  // Makes room for `buckets`, a power of two of at least 64, all absent.
  void reset(std::size_t buckets) { words_.assign(buckets / kBits, 0); }

  void insert(std::size_t bucket) {
    words_[bucket / kBits] |= std::uint64_t{1} << (bucket % kBits);
  }
  void erase(std::size_t bucket) {
    words_[bucket / kBits] &= ~(std::uint64_t{1} << (bucket % kBits));
  }

  // How many buckets after `start` the first present one is, going round the ring, `start` itself
  // first; -1 where none is present.
  std::ptrdiff_t distance_from(std::size_t start) const {
    const std::size_t begin = start / kBits;
    const std::uint64_t head = words_[begin] >> (start % kBits);
    if (head != 0) return std::countr_zero(head);
    const std::size_t mask = words_.size() - 1;
    for (std::size_t step = 1; step <= words_.size(); ++step) {
      const std::uint64_t word = words_[(begin + step) & mask];
      if (word == 0) continue;
      return static_cast<std::ptrdiff_t>(step * kBits - start % kBits) + std::countr_zero(word);
    }
    return -1;
  }

 private:
  static constexpr std::size_t kBits = 64;

  std::vector<std::uint64_t> words_;
};

}  // namespace septet::engine
