// Numbers of a trace parsed from text without going through a double: microseconds of up to 19
// digits with a fraction keep their picoseconds, ids beyond 2^53 keep all digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/quantity.hpp"

namespace septet::recorded {

// A time or duration as recorded: whole microseconds, which are too many for picoseconds in 64
// bits (the age of Unix time is 1.8e15 us), and the picoseconds after them (0 .. 999,999; they
// count upwards for negative times too).
struct RecordedTime {
  std::int64_t microseconds = 0;
  std::int32_t picoseconds = 0;
  bool rounded = false;  // digits below one picosecond were rounded to the nearest

  constexpr bool is_zero() const { return microseconds == 0 && picoseconds == 0; }
};

// a - b in picoseconds, nothing when that is beyond plus or minus `limit`.
std::optional<Duration> difference(const RecordedTime& a, const RecordedTime& b, Duration limit);

// A JSON number in microseconds ("5106788221131.859", "1.68e15", "-3"). Nothing when `text` is no
// number or its whole microseconds exceed 63 bits.
std::optional<RecordedTime> parse_microseconds(std::string_view text);

// An integer as ids have it, by magnitude and sign.
struct RecordedInteger {
  std::uint64_t magnitude = 0;
  bool negative = false;

  // The value when it lies in [low, high].
  std::optional<std::int64_t> within(std::int64_t low, std::int64_t high) const;
};

// "117", "-1", "0x1f", "7.0" and, as old traces name a thread, "stream 7". Nothing for other text
// and for more than 64 bits.
std::optional<RecordedInteger> parse_integer(std::string_view text);

}  // namespace septet::recorded
