// Finds a word in a small fixed list by its length first: a miss, the usual case for the keys of a
// trace, costs at most a few comparisons.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace septet::recorded {

template <class Value, std::size_t N>
class KeyTable {
 public:
  struct Entry {
    std::string_view key;
    Value value;
  };

  constexpr explicit KeyTable(std::array<Entry, N> entries) : entries_(entries) {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.key.size() < b.key.size(); });
    for (std::size_t length = 0; length <= kLongest; ++length) {
      first_[length] = static_cast<std::uint8_t>(
          std::count_if(entries_.begin(), entries_.end(),
                        [length](const Entry& e) { return e.key.size() < length; }));
    }
    first_[kLongest + 1] = N;
  }

  constexpr std::optional<Value> find(std::string_view key) const {
    if (key.size() > kLongest) return std::nullopt;
    for (std::size_t i = first_[key.size()]; i < first_[key.size() + 1]; ++i) {
      // The last letter first: it distinguishes most keys of one length.
      if (entries_[i].key.back() == key.back() && entries_[i].key == key) return entries_[i].value;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kLongest = 40;
  static_assert(N < 256);

  std::array<Entry, N> entries_;
  std::array<std::uint8_t, kLongest + 2> first_{};
};

}  // namespace septet::recorded
