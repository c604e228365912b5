#include "core/base/error_parts.hpp"

#include <string_view>

namespace septet {

ErrorParts parts_of(const std::string& reason) {
  constexpr std::string_view kGot = ": got ";
  constexpr std::string_view kWanted = ", wanted ";
  const std::size_t got = reason.find(kGot);
  if (got == std::string::npos) return {};
  const std::size_t value = got + kGot.size();
  const std::size_t wanted = reason.find(kWanted, value);
  if (wanted == std::string::npos) return {};
  return {reason.substr(0, got), reason.substr(value, wanted - value),
          reason.substr(wanted + kWanted.size())};
}

}  // namespace septet
