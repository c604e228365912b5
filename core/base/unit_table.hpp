// The units of each dimension, and common alternative spellings. Internal to core/base.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace septet {

enum class Dimension { kDuration, kBytes, kByteRate, kFrequency, kFlopRate, kPower };

struct Unit {
  std::string symbol;
  long double factor;  // in the dimension's base unit: ps, B, B/s, Hz, FLOP/s, W
  bool preferred;      // used when writing for people
};

std::span<const Unit> units_of(Dimension dimension);  // preferred ones ascend
const Unit* find_unit(Dimension dimension, std::string_view symbol);

struct DimensionText {
  std::string_view name;     // "a byte rate"
  std::string_view example;  // "3.35 TB/s"
};
DimensionText text_of(Dimension dimension);

// The name of the dimension that `symbol` does belong to; empty if none.
std::string_view dimension_name_of(std::string_view symbol);

// The symbols that may have been meant by the unknown unit `written`, best first; empty if none
// is near.
std::vector<std::string> near_units(Dimension dimension, std::string_view written);

}  // namespace septet
