// Times as request logs write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/quantity.hpp"

namespace septet::requests {

// Since 1970, or since a log's own zero.
struct LogTime {
  std::int64_t seconds = 0;
  std::int64_t picoseconds = 0;  // below a second

  friend auto operator<=>(const LogTime&, const LogTime&) = default;
};

// "12", "12.25": up to 12 digits behind the point. Nothing where it is anything else, or negative.
std::optional<LogTime> parse_seconds(std::string_view text);

// "2023-11-16 18:17:03.9799600", with up to 12 digits of a second and, at the end, "+00:00" or "Z"
// or nothing; other offsets are refused.
std::optional<LogTime> parse_date_time(std::string_view text);

// From `begin` to `end`; nothing where it is negative or longer than simulated time can be.
std::optional<Duration> elapsed(LogTime begin, LogTime end);

}  // namespace septet::requests
