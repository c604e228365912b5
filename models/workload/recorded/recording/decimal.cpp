#include "models/workload/recorded/recording/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace septet {
namespace {

constexpr std::int64_t kLargestWhole = std::numeric_limits<std::int64_t>::max() - 1;
constexpr int kFractionDigits = 6;  // picoseconds in a microsecond

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the leading digits off `text`.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

struct Decimal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  int exponent = 0;

  // The digit that stands for 10^place, wherever the decimal point was.
  int digit(std::int64_t place) const {
    const std::int64_t index = static_cast<std::int64_t>(whole.size()) - 1 + exponent - place;
    if (index < 0) return 0;
    const auto at = static_cast<std::size_t>(index);
    if (at < whole.size()) return whole[at] - '0';
    return at - whole.size() < fraction.size() ? fraction[at - whole.size()] - '0' : 0;
  }
  std::int64_t highest_place() const {
    return static_cast<std::int64_t>(whole.size()) - 1 + exponent;
  }
  std::int64_t lowest_place() const {
    return exponent - static_cast<std::int64_t>(fraction.size());
  }
};

bool take_exponent(std::string_view& text, int& exponent) {
  if (!take(text, "e") && !take(text, "E")) return true;
  take(text, "+");
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (code != std::errc() || std::abs(exponent) > 1000) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

constexpr std::size_t kPlainDigits = 18;  // 63 bits hold any number of as many

// Digits alone, at most kPlainDigits.
std::optional<std::int64_t> parse_digits(std::string_view text) {
  if (text.empty() || text.size() > kPlainDigits) return std::nullopt;
  std::int64_t out = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
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

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal out;
  out.negative = take(text, "-");
  out.whole = take_digits(text);
  if (out.whole.empty()) return std::nullopt;
  if (take(text, ".")) out.fraction = take_digits(text);
  if (!take_exponent(text, out.exponent) || !text.empty()) return std::nullopt;
  return out;
}

std::optional<std::int64_t> whole_microseconds(const Decimal& decimal) {
  std::int64_t out = 0;
  for (std::int64_t place = decimal.highest_place(); place >= 0; --place) {
    const int digit = decimal.digit(place);
    if (out > (kLargestWhole - digit) / 10) return std::nullopt;
    out = out * 10 + digit;
  }
  return out;
}

bool has_digits_below(const Decimal& decimal, std::int64_t place) {
  for (std::int64_t at = place - 1; at >= decimal.lowest_place(); --at) {
    if (decimal.digit(at) != 0) return true;
  }
  return false;
}

// Nearest picosecond; halves away from zero.
std::int32_t fraction_picoseconds(const Decimal& decimal) {
  std::int32_t out = 0;
  for (int place = -1; place >= -kFractionDigits; --place) out = out * 10 + decimal.digit(place);
  return decimal.digit(-kFractionDigits - 1) >= 5 ? out + 1 : out;
}

constexpr std::int32_t kMicrosecond = static_cast<std::int32_t>(kPicosecondsPerMicrosecond);

RecordedTime normalised(std::int64_t whole, std::int32_t part, bool negative) {
  if (negative) {
    whole = -whole;
    part = -part;
  }
  if (part < 0) return {whole - 1, part + kMicrosecond};
  if (part >= kMicrosecond) return {whole + 1, part - kMicrosecond};
  return {whole, part};
}

}  // namespace

std::optional<RecordedTime> parse_microseconds(std::string_view text) {
  if (const auto plain = parse_plain_microseconds(text)) return plain;
  const auto decimal = parse_decimal(text);
  if (!decimal) return std::nullopt;
  const auto whole = whole_microseconds(*decimal);
  if (!whole) return std::nullopt;
  RecordedTime out = normalised(*whole, fraction_picoseconds(*decimal), decimal->negative);
  out.rounded = has_digits_below(*decimal, -kFractionDigits);
  return out;
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
  const int base = take(text, "0x") ? 16 : 10;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, out.magnitude, base);
  if (code != std::errc() || stop == text.data()) return std::nullopt;
  std::string_view rest(stop, static_cast<std::size_t>(end - stop));
  if (take(rest, ".")) rest.remove_prefix(std::min(rest.find_first_not_of('0'), rest.size()));
  if (!rest.empty()) return std::nullopt;
  return out;
}

}  // namespace septet
