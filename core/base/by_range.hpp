// A value for every index, the same for all except those in some ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace septet {

template <class T>
class ByRange {
 public:
  ByRange(T usual) { kinds_.push_back(std::move(usual)); }  // NOLINT: one value is the usual case

  // Asserts that none of these indices has a value of its own yet.
  void set(std::uint32_t first, std::uint32_t count, T value) {
    for (const Range& range : ranges_) {
      SEPTET_ASSERT(first >= range.first + range.count || range.first >= first + count);
    }
    ranges_.push_back({first, count});
    kinds_.push_back(std::move(value));
  }

  // Kind 0 is the usual one; the others count from 1 in the order of `set`.
  std::size_t kinds() const { return kinds_.size(); }
  const T& of_kind(std::size_t kind) const { return kinds_[kind]; }
  std::size_t kind(std::uint32_t index) const {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (index - ranges_[i].first < ranges_[i].count) return i + 1;  // wraps around below
    }
    return 0;
  }
  const T& operator[](std::uint32_t index) const { return kinds_[kind(index)]; }

 private:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  std::vector<Range> ranges_;
  std::vector<T> kinds_;
};

}  // namespace septet
