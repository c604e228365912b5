#include "core/base/units.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/unit_table.hpp"

namespace septet {
namespace {

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The text of a number and what follows it. The number is empty if the text does not start with
// one. An exponent is part of it only if digits follow the "e", so that "5 EB" and "5EB" work.
struct Parts {
  std::string_view number;
  std::string_view rest;
  long double value = 0;
  bool overflow = false;
};

Parts split(std::string_view text) {
  Parts parts{{}, text};
  const std::size_t first = text.find_first_not_of('-');
  if (first > 1) return parts;  // or there is none: npos
  if ((text[first] < '0' || text[first] > '9') && text[first] != '.') return parts;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parts.value);
  if (error == std::errc::invalid_argument) return parts;
  parts.overflow = error == std::errc::result_out_of_range;
  parts.number = {text.data(), static_cast<std::size_t>(stop - text.data())};
  parts.rest = trimmed({stop, static_cast<std::size_t>(end - stop)});
  return parts;
}

std::string wanted_text(Dimension dimension) {
  const auto [name, example] = text_of(dimension);
  return fmt::format("{} with its unit, such as {}", name, quoted(example));
}

[[noreturn]] void throw_unknown_unit(Dimension dimension, std::string_view text,
                                     const Parts& parts) {
  std::string suggestion;
  for (const std::string& symbol : near_units(dimension, parts.rest)) {
    if (!suggestion.empty()) suggestion += " or ";
    suggestion += quoted(fmt::format("{} {}", parts.number, symbol));
  }
  const std::string_view other = dimension_name_of(parts.rest);
  const std::string got = other.empty() ? quoted(text) : fmt::format("{}, {}", quoted(text), other);
  throw UnitError(got, wanted_text(dimension), suggestion);
}

// The value in the dimension's base unit: finite and not negative.
long double parse(Dimension dimension, std::string_view text) {
  const Parts parts = split(trimmed(text));
  if (parts.number.empty()) throw UnitError(quoted(text), wanted_text(dimension));
  if (parts.rest.empty()) {
    throw UnitError(quoted(text) + " without a unit", wanted_text(dimension));
  }
  const Unit* unit = find_unit(dimension, parts.rest);
  if (unit == nullptr) throw_unknown_unit(dimension, text, parts);
  if (parts.number.front() == '-') {
    throw UnitError(quoted(text), fmt::format("{} of at least 0", text_of(dimension).name));
  }
  const long double value = parts.value * unit->factor;
  if (parts.overflow || !std::isfinite(value)) {
    throw UnitError(quoted(text), fmt::format("{} within range", text_of(dimension).name));
  }
  return value;
}

constexpr long double kIntegerEnd = 0x1p63L;  // the first value too large for int64

// Nearest integer; an error where the value does not fit or where rounding would make it vanish.
std::int64_t rounded(long double value, std::string_view text, std::string_view name,
                     std::string_view base) {
  const long double nearest = std::round(value);
  if (nearest >= kIntegerEnd) {
    throw UnitError(quoted(text), fmt::format("{} of at most {} {}", name,
                                              std::numeric_limits<std::int64_t>::max(), base));
  }
  if (nearest == 0 && value > 0) {
    throw UnitError(quoted(text), fmt::format("{} of zero or at least 1 {}", name, base));
  }
  return static_cast<std::int64_t>(nearest);
}

// A decimal fraction of a unit is seldom a binary number, so whole means whole up to the last
// bits of the product.
bool is_whole(long double value) { return std::abs(value - std::round(value)) <= value * 0x1p-62L; }

template <class Rate>
Rate parse_real(Dimension dimension, std::string_view text) {
  const auto value = static_cast<double>(parse(dimension, text));
  if (!std::isfinite(value)) {
    throw UnitError(quoted(text), fmt::format("{} within range", text_of(dimension).name));
  }
  return Rate(value);
}

__extension__ using Wide = unsigned __int128;

// A count divided by a unit as an exact decimal number; empty where that takes more digits than
// anyone would write, or where the unit is larger than the count.
std::string exact_decimal(std::uint64_t count, std::uint64_t unit, int digits) {
  if (count < unit) return {};
  std::string text = std::to_string(count / unit);
  Wide rest = count % unit;
  if (rest != 0) text += '.';
  while (rest != 0 && digits-- > 0) {
    rest *= 10;
    text += static_cast<char>('0' + static_cast<int>(rest / unit));
    rest %= unit;
  }
  return rest == 0 ? text : std::string();
}

// Whether a number of a unit is read as `size`: above 2^62 not every decimal fraction is.
bool comes_back(const std::string& number, const Unit& unit, std::uint64_t size) {
  return std::round(split(number).value * unit.factor) == static_cast<long double>(size);
}

// The unit that takes the fewest characters of number; of equals the largest.
std::string integer_text(Dimension dimension, std::int64_t count) {
  const std::uint64_t size =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  const Unit* chosen = &units_of(dimension).front();
  std::string best = std::to_string(size);
  for (const Unit& unit : units_of(dimension)) {
    if (!unit.preferred) continue;
    const std::string number = exact_decimal(size, static_cast<std::uint64_t>(unit.factor), 18);
    if (number.empty() || number.size() > best.size()) continue;
    if (!comes_back(number, unit, size)) continue;
    best = number;
    chosen = &unit;
  }
  return fmt::format("{}{} {}", count < 0 ? "-" : "", best, chosen->symbol);
}

// The largest unit that leaves at least 1 before the point, and as few digits as parse back. (From
// three on: with fewer, 700 would come out as 7e+02.)
std::string real_text(Dimension dimension, double value) {
  const Unit* chosen = nullptr;
  for (const Unit& unit : units_of(dimension)) {
    if (!unit.preferred) continue;
    if (chosen == nullptr || std::abs(value) >= static_cast<double>(unit.factor)) chosen = &unit;
  }
  const long double scaled = value / chosen->factor;
  std::string text;
  for (int digits = 3; digits <= std::numeric_limits<double>::max_digits10 + 1; ++digits) {
    text = fmt::format("{:.{}g}", scaled, digits);
    const Parts parts = split(text);
    if (static_cast<double>(parts.value * chosen->factor) == value) break;
  }
  return text + " " + chosen->symbol;
}

}  // namespace

UnitError::UnitError(std::string got, std::string wanted, std::string suggestion)
    : std::invalid_argument(
          fmt::format("got {}, wanted {}{}", got, wanted,
                      suggestion.empty() ? "" : fmt::format(" (did you mean {}?)", suggestion))),
      got_(std::move(got)),
      wanted_(std::move(wanted)),
      suggestion_(std::move(suggestion)) {}

std::string UnitError::wanted_with_suggestion() const {
  return suggestion_.empty() ? wanted_ : fmt::format("{} (did you mean {}?)", wanted_, suggestion_);
}

Duration parse_duration(std::string_view text) {
  return Duration(rounded(parse(Dimension::kDuration, text), text, "a duration", "ps"));
}

Bytes parse_bytes(std::string_view text) {
  const long double value = parse(Dimension::kBytes, text);
  if (!is_whole(value)) throw UnitError(quoted(text), "a whole number of bytes");
  return Bytes(rounded(value, text, "a size", "B"));
}

ByteRate parse_byte_rate(std::string_view text) {
  return parse_real<ByteRate>(Dimension::kByteRate, text);
}

Frequency parse_frequency(std::string_view text) {
  return parse_real<Frequency>(Dimension::kFrequency, text);
}

FlopRate parse_flop_rate(std::string_view text) {
  return parse_real<FlopRate>(Dimension::kFlopRate, text);
}

Power parse_power(std::string_view text) { return parse_real<Power>(Dimension::kPower, text); }

std::int64_t parse_count(std::string_view text) {
  const Parts parts = split(trimmed(text));
  const bool number = !parts.number.empty() && parts.rest.empty() && !parts.overflow;
  if (!number || parts.value < 0 || parts.value != std::round(parts.value)) {
    throw UnitError(quoted(text), "a whole number without a unit, such as \"128\"");
  }
  return rounded(parts.value, text, "a count", "");
}

std::string to_text(Duration value) { return integer_text(Dimension::kDuration, value.count()); }
std::string to_text(Bytes value) { return integer_text(Dimension::kBytes, value.count()); }
std::string to_text(ByteRate value) { return real_text(Dimension::kByteRate, value.count()); }
std::string to_text(Frequency value) { return real_text(Dimension::kFrequency, value.count()); }
std::string to_text(FlopRate value) { return real_text(Dimension::kFlopRate, value.count()); }
std::string to_text(Power value) { return real_text(Dimension::kPower, value.count()); }

}  // namespace septet
