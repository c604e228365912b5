// Gives each distinct text one index, so that events carry 4 bytes instead of a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace septet::recorded {

class StringTable {
 public:
  std::uint32_t index(std::string_view text);

  // The texts by index; leaves the table empty.
  std::vector<std::string> take();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> indices_;
};

}  // namespace septet::recorded
