#include "models/workload/requests/log_time.hpp"

#include <charconv>
#include <chrono>

namespace septet::requests {
namespace {

constexpr std::size_t kMostDigits = 12;  // of a second: picoseconds

// Digits alone: no sign, no space, nothing empty.
std::optional<std::int64_t> parse_digits(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || text.front() == '-') return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_fraction(std::string_view digits) {
  if (digits.size() > kMostDigits) return std::nullopt;
  std::optional<std::int64_t> value = parse_digits(digits);
  for (std::size_t i = digits.size(); value && i < kMostDigits; ++i) *value *= 10;
  return value;
}

// The whole number that stands at `begin` in `text`.
std::optional<int> part(std::string_view text, std::size_t begin, std::size_t length) {
  const std::optional<std::int64_t> value = parse_digits(text.substr(begin, length));
  if (!value) return std::nullopt;
  return static_cast<int>(*value);
}

std::string_view without_offset(std::string_view text) {
  for (const std::string_view offset : {"+00:00", "Z"}) {
    if (text.ends_with(offset)) return text.substr(0, text.size() - offset.size());
  }
  return text;
}

// "2023-11-16" as days since 1970.
std::optional<std::int64_t> parse_date(std::string_view text) {
  const bool shaped = text.size() == 10 && text[4] == '-' && text[7] == '-';
  if (!shaped) return std::nullopt;
  const auto year = part(text, 0, 4);
  const auto month = part(text, 5, 2);
  const auto day = part(text, 8, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count();
}

// "18:17:03" as seconds of the day.
std::optional<std::int64_t> parse_clock(std::string_view text) {
  const bool shaped = text.size() == 8 && text[2] == ':' && text[5] == ':';
  if (!shaped) return std::nullopt;
  const auto hours = part(text, 0, 2);
  const auto minutes = part(text, 3, 2);
  const auto seconds = part(text, 6, 2);
  const bool valid = hours && minutes && seconds && *hours < 24 && *minutes < 60 && *seconds < 60;
  if (!valid) return std::nullopt;
  return (*hours * 60 + *minutes) * 60 + *seconds;
}

}  // namespace

std::optional<LogTime> parse_seconds(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto seconds = text.empty() ? std::nullopt : parse_digits(text.substr(0, point));
  if (!seconds || point == text.npos) {
    return seconds ? std::optional(LogTime{*seconds, 0}) : std::nullopt;
  }
  if (point + 1 == text.size()) return std::nullopt;
  const auto fraction = parse_fraction(text.substr(point + 1));
  if (!fraction) return std::nullopt;
  return LogTime{*seconds, *fraction};
}

std::optional<LogTime> parse_date_time(std::string_view text) {
  constexpr std::size_t kDate = 10;
  constexpr std::size_t kDateTime = 19;
  constexpr std::int64_t kDay = 24 * 60 * 60;
  text = without_offset(text);
  if (text.size() < kDateTime || (text[kDate] != ' ' && text[kDate] != 'T')) return std::nullopt;
  const auto days = parse_date(text.substr(0, kDate));
  const auto clock = parse_clock(text.substr(kDate + 1, kDateTime - kDate - 1));
  if (!days || !clock) return std::nullopt;
  const std::int64_t seconds = *days * kDay + *clock;
  if (text.size() == kDateTime) return LogTime{seconds, 0};
  if (text[kDateTime] != '.' || text.size() == kDateTime + 1) return std::nullopt;
  const auto fraction = parse_fraction(text.substr(kDateTime + 1));
  return fraction ? std::optional(LogTime{seconds, *fraction}) : std::nullopt;
}

std::optional<Duration> elapsed(LogTime begin, LogTime end) {
  constexpr std::int64_t kLongest = Duration::max().count() / kPicosecondsPerSecond / 2;
  const std::int64_t seconds = end.seconds - begin.seconds;
  if (seconds > kLongest || end < begin) return std::nullopt;
  return Duration(seconds * kPicosecondsPerSecond + end.picoseconds - begin.picoseconds);
}

}  // namespace septet::requests
