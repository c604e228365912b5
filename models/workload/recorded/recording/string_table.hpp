// Gives each distinct text one index, so that events carry 4 bytes instead of a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace septet {

class StringTable {
 public:
  std::uint32_t index(std::string_view text);

  // The texts by index; leaves the table empty.
  std::vector<std::string> take();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> indices_;
};

// Replaces what is not UTF-8, and NUL, by U+FFFD. False when there was nothing to replace.
bool make_valid_utf8(std::string& text);

}  // namespace septet
