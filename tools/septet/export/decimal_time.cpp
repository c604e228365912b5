#include "tools/septet/export/decimal_time.hpp"

#include <fmt/format.h>

#include "core/base/quantity.hpp"

namespace septet::command {

std::string exact_microseconds(std::int64_t picoseconds) {
  const bool negative = picoseconds < 0;
  // The smallest integer has no positive counterpart, hence the unsigned arithmetic.
  const auto bits = static_cast<std::uint64_t>(picoseconds);
  const std::uint64_t size = negative ? 0 - bits : bits;
  constexpr auto kUnit = static_cast<std::uint64_t>(kPicosecondsPerMicrosecond);
  const std::uint64_t fraction = size % kUnit;
  const char* sign = negative ? "-" : "";
  if (fraction % 1000 == 0) return fmt::format("{}{}.{:03}", sign, size / kUnit, fraction / 1000);
  std::string out = fmt::format("{}{}.{:06}", sign, size / kUnit, fraction);
  out.erase(out.find_last_not_of('0') + 1);
  return out;
}

}  // namespace septet::command
