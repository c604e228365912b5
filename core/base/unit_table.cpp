#include "core/base/unit_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace septet {
namespace {

struct Prefix {
  std::string_view symbol;
  long double factor;
};

constexpr std::array<Prefix, 7> kDecimal = {
    {{"", 1}, {"k", 1e3L}, {"M", 1e6L}, {"G", 1e9L}, {"T", 1e12L}, {"P", 1e15L}, {"E", 1e18L}}};
constexpr std::array<Prefix, 6> kBinary = {{{"Ki", 0x1p10L},
                                            {"Mi", 0x1p20L},
                                            {"Gi", 0x1p30L},
                                            {"Ti", 0x1p40L},
                                            {"Pi", 0x1p50L},
                                            {"Ei", 0x1p60L}}};

void add_prefixed(std::vector<Unit>& units, std::span<const Prefix> prefixes, std::string_view base,
                  long double factor, bool preferred) {
  for (const Prefix& prefix : prefixes) {
    const std::string symbol = std::string(prefix.symbol) + std::string(base);
    units.push_back({symbol, prefix.factor * factor, preferred});
  }
}

std::vector<Unit> duration_units() {
  return {{"ps", 1, true},          {"ns", 1e3L, true},     {"us", 1e6L, true},
          {"ms", 1e9L, true},       {"s", 1e12L, true},     {"\u00b5s", 1e6L, false},
          {"\u03bcs", 1e6L, false}, {"min", 60e12L, false}, {"h", 3600e12L, false},
          {"d", 86400e12L, false}};
}

std::vector<Unit> byte_units(std::string_view per, bool binary_preferred) {
  std::vector<Unit> units;
  const std::string byte = "B" + std::string(per);
  const std::string bit = "bit" + std::string(per);
  add_prefixed(units, kDecimal, byte, 1, true);
  add_prefixed(units, kBinary, byte, 1, binary_preferred);
  add_prefixed(units, kDecimal, bit, 0.125L, false);
  add_prefixed(units, kBinary, bit, 0.125L, false);
  return units;
}

std::vector<Unit> decimal_units(std::string_view base) {
  std::vector<Unit> units;
  add_prefixed(units, kDecimal, base, 1, true);
  return units;
}

std::vector<Unit> power_units() {
  std::vector<Unit> units = {{"mW", 1e-3L, true}};
  add_prefixed(units, std::span(kDecimal).first(4), "W", 1, true);
  return units;
}

constexpr std::array kDimensions = {Dimension::kDuration, Dimension::kBytes,
                                    Dimension::kByteRate, Dimension::kFrequency,
                                    Dimension::kFlopRate, Dimension::kPower};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool replace_suffix(std::string& text, std::string_view suffix, std::string_view by) {
  if (text.size() < suffix.size() || !lower(text).ends_with(suffix)) return false;
  text.replace(text.size() - suffix.size(), suffix.size(), by);
  return true;
}

using Spellings = std::span<const std::pair<std::string_view, std::string_view>>;

// The first spelling that fits is the longest one, so one replacement is enough.
std::string respell(std::string text, Spellings spellings) {
  for (const auto& [written, symbol] : spellings) {
    if (replace_suffix(text, written, symbol)) break;
  }
  return text;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kTimeWords = {
    {{"microseconds", "us"},
     {"microsecond", "us"},
     {"milliseconds", "ms"},
     {"millisecond", "ms"},
     {"nanoseconds", "ns"},
     {"nanosecond", "ns"},
     {"picoseconds", "ps"},
     {"seconds", "s"},
     {"second", "s"},
     {"secs", "s"},
     {"sec", "s"},
     {"minutes", "min"},
     {"hours", "h"},
     {"hrs", "h"},
     {"days", "d"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSizeWords = {
    {{"bytes", "B"}, {"byte", "B"}, {"octets", "B"}, {"bits", "bit"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kFlopWords = {
    {{"flops", "FLOP/s"}, {"flop", "FLOP/s"}, {"f", "FLOP/s"}}};

// The unit as Septet would write it, if only its spelling is unusual ("usec", "GBps", "TFLOPS").
std::string respelled(Dimension dimension, std::string_view written) {
  std::string text(written);
  if (dimension == Dimension::kDuration) return respell(text, kTimeWords);
  if (dimension == Dimension::kBytes) return respell(text, kSizeWords);
  if (dimension == Dimension::kFlopRate) {
    static_cast<void>(replace_suffix(text, "/sec", "") || replace_suffix(text, "/s", ""));
    return respell(text, kFlopWords);
  }
  if (dimension != Dimension::kByteRate) return text;
  const bool rate = replace_suffix(text, "/sec", "") || replace_suffix(text, "/s", "") ||
                    replace_suffix(text, "ps", "");
  return rate ? respell(text, kSizeWords) + "/s" : text;
}

// For comparing: without case, and with "bit" as the ambiguous "b" that people write.
std::string blurred(std::string_view unit) {
  std::string text = lower(unit);
  const std::size_t bit = text.find("bit");
  if (bit != std::string::npos) text.replace(bit, 3, "b");
  return text;
}

}  // namespace

std::span<const Unit> units_of(Dimension dimension) {
  static const std::array<std::vector<Unit>, kDimensions.size()> tables = {
      duration_units(),    byte_units("", true),    byte_units("/s", false),
      decimal_units("Hz"), decimal_units("FLOP/s"), power_units()};
  return tables[static_cast<std::size_t>(dimension)];
}

const Unit* find_unit(Dimension dimension, std::string_view symbol) {
  const std::span<const Unit> units = units_of(dimension);
  const auto found = std::ranges::find(units, symbol, &Unit::symbol);
  return found == units.end() ? nullptr : &*found;
}

DimensionText text_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::kDuration:
      return {"a duration", "2.5 us"};
    case Dimension::kBytes:
      return {"a size", "228 KiB"};
    case Dimension::kByteRate:
      return {"a byte rate", "3.35 TB/s"};
    case Dimension::kFrequency:
      return {"a frequency", "1980 MHz"};
    case Dimension::kFlopRate:
      return {"a rate of operations", "67 TFLOP/s"};
    case Dimension::kPower:
      break;
  }
  return {"a power", "700 W"};
}

std::string_view dimension_name_of(std::string_view symbol) {
  for (const Dimension dimension : kDimensions) {
    if (find_unit(dimension, symbol) != nullptr) return text_of(dimension).name;
  }
  return {};
}

std::vector<std::string> near_units(Dimension dimension, std::string_view written) {
  const std::string text = respelled(dimension, written);
  if (find_unit(dimension, text) != nullptr) return {text};
  std::vector<std::string> near;
  for (const Unit& unit : units_of(dimension)) {
    if (blurred(unit.symbol) == blurred(text)) near.push_back(unit.symbol);
  }
  return near;
}

}  // namespace septet
