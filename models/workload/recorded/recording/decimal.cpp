#include "models/workload/recorded/recording/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

namespace septet::recorded {
namespace {

constexpr std::uint64_t kLargestWhole = std::numeric_limits<std::int64_t>::max() - 1;
constexpr std::size_t kFractionDigits = 6;  // picoseconds in a microsecond
constexpr std::uint64_t kMicrosecond = kPicosecondsPerMicrosecond;

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

// Takes an unsigned number off `text`; nothing when it starts with none or with more than 64 bits.
std::optional<std::uint64_t> take_number(std::string_view& text, int base = 10) {
  std::uint64_t out = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (code != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return out;
}

constexpr std::size_t kPlainDigits = 18;  // 63 bits hold any number of as many

// Digits alone, at most kPlainDigits: in less than half the time of std::from_chars (GCC 12), and
// nearly all numbers of a recording are such.
std::optional<std::int64_t> parse_digits(std::string_view text) {
  if (text.empty() || text.size() > kPlainDigits) return std::nullopt;
  std::int64_t out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    out = out * 10 + (c - '0');
  }
  return out;
}

// Nearly all stamps: digits, and at most as many after the point as picoseconds take.
std::optional<RecordedTime> parse_plain_microseconds(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto whole = parse_digits(text.substr(0, point));
  if (!whole) return std::nullopt;
  RecordedTime out{.microseconds = *whole};
  if (point == text.size()) return out;
  const std::string_view fraction = text.substr(point + 1);
  const auto digits = parse_digits(fraction);
  if (!digits || fraction.size() > kFractionDigits) return std::nullopt;
  std::int64_t picoseconds = *digits;
  for (std::size_t place = fraction.size(); place < kFractionDigits; ++place) picoseconds *= 10;
  out.picoseconds = static_cast<std::int32_t>(picoseconds);
  return out;
}

std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(digits.size());
  return digits;
}

bool take_exponent(std::string_view& text, int& exponent) {
  if (!take(text, "e") && !take(text, "E")) return true;
  take(text, "+");
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (code != std::errc() || std::abs(exponent) > 1000) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// The digits before and after `point`, rounded to picoseconds, halves away from zero. At least one
// more than picoseconds take come after it.
std::optional<RecordedTime> rounded_time(std::string_view digits, std::size_t point) {
  std::string_view before = digits.substr(0, point);
  std::string_view after = digits.substr(point, kFractionDigits);
  const std::string_view below = digits.substr(point + kFractionDigits);
  std::uint64_t picoseconds = *take_number(after) + (below.front() >= '5' ? 1 : 0);
  const auto whole = point == 0 ? 0 : take_number(before);
  if (!whole || *whole > kLargestWhole) return std::nullopt;
  return RecordedTime{static_cast<std::int64_t>(*whole + picoseconds / kMicrosecond),
                      static_cast<std::int32_t>(picoseconds % kMicrosecond),
                      below.find_first_not_of('0') != std::string_view::npos};
}

RecordedTime negated(RecordedTime time) {
  const bool borrow = time.picoseconds > 0;
  time.microseconds = -time.microseconds - (borrow ? 1 : 0);
  if (borrow) time.picoseconds = static_cast<std::int32_t>(kMicrosecond) - time.picoseconds;
  return time;
}

}  // namespace

std::optional<RecordedTime> parse_microseconds(std::string_view text) {
  if (const auto plain = parse_plain_microseconds(text)) return plain;
  const bool negative = take(text, "-");
  std::string digits(take_digits(text));
  if (digits.empty()) return std::nullopt;
  auto point = static_cast<std::ptrdiff_t>(digits.size());
  if (take(text, ".")) digits += take_digits(text);
  int exponent = 0;
  if (!take_exponent(text, exponent) || !text.empty()) return std::nullopt;
  point += exponent;
  if (point < 0) digits.insert(0, static_cast<std::size_t>(-std::exchange(point, 0)), '0');
  const auto at = static_cast<std::size_t>(point);
  digits.resize(std::max(digits.size(), at + kFractionDigits + 1), '0');
  const auto time = rounded_time(digits, at);
  return time && negative ? negated(*time) : time;
}

std::optional<Duration> difference(const RecordedTime& a, const RecordedTime& b, Duration limit) {
  std::int64_t whole = 0;
  std::int64_t picoseconds = 0;
  if (__builtin_sub_overflow(a.microseconds, b.microseconds, &whole) ||
      __builtin_mul_overflow(whole, kPicosecondsPerMicrosecond, &picoseconds) ||
      __builtin_add_overflow(picoseconds, a.picoseconds - b.picoseconds, &picoseconds)) {
    return std::nullopt;
  }
  if (picoseconds > limit.count() || picoseconds < -limit.count()) return std::nullopt;
  return Duration(picoseconds);
}

std::optional<std::int64_t> RecordedInteger::within(std::int64_t low, std::int64_t high) const {
  if (magnitude > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  const auto value =
      negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  if (value < low || value > high) return std::nullopt;
  return value;
}

std::optional<RecordedInteger> parse_integer(std::string_view text) {
  if (const auto plain = parse_digits(text)) {
    return RecordedInteger{.magnitude = static_cast<std::uint64_t>(*plain)};
  }
  take(text, "stream ");
  RecordedInteger out;
  out.negative = take(text, "-");
  const auto magnitude = take_number(text, take(text, "0x") ? 16 : 10);
  if (!magnitude) return std::nullopt;
  out.magnitude = *magnitude;
  if (take(text, ".")) text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (!text.empty()) return std::nullopt;
  return out;
}

}  // namespace septet::recorded
