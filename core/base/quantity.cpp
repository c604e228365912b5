#include "core/base/quantity.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"

namespace septet {
namespace {

constexpr const char* kTimesEnd =
    "is out of range: times end at 9223372.036854775807 s, after 106 days";
constexpr const char* kSizesEnd = "is out of range: sizes end at 9223372036854775807 B, 8 EiB";

// A product is that of a quantity and a number.
template <class Kind>
std::string operands(std::int64_t a, char operation, std::int64_t b) {
  const std::string right = operation == '*' ? std::to_string(b) : to_text(Kind(b));
  return fmt::format("{} {} {}", to_text(Kind(a)), operation, right);
}

}  // namespace

void DurationTag::refuse(std::int64_t a, char operation, std::int64_t b) {
  throw RangeError(fmt::format("a time of {} {}", operands<Duration>(a, operation, b), kTimesEnd));
}

void DurationTag::refuse(double picoseconds) {
  const double seconds = picoseconds / static_cast<double>(kPicosecondsPerSecond);
  throw RangeError(fmt::format("a time of {:g} s {}", seconds, kTimesEnd));
}

void BytesTag::refuse(std::int64_t a, char operation, std::int64_t b) {
  throw RangeError(fmt::format("a size of {} {}", operands<Bytes>(a, operation, b), kSizesEnd));
}

void BytesTag::refuse(double bytes) {
  throw RangeError(fmt::format("a size of {:g} B {}", bytes, kSizesEnd));
}

}  // namespace septet
