// The table [sweep] of a scenario file, as it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet::sweep {

enum class Scale : std::uint8_t { kLinear, kLog };
constexpr auto enum_table(std::type_identity<Scale>) { return enum_texts<Scale>("linear", "log"); }

// How values between two bounds are drawn.
enum class Design : std::uint8_t { kRandom, kLatinHypercube, kSobol };
constexpr auto enum_table(std::type_identity<Design>) {
  return enum_texts<Design>("random", "latin-hypercube", "sobol");
}

// What is asked of each point: the command of that name.
enum class Command : std::uint8_t { kRun, kReplay, kExplain, kCapacity, kPlan };
constexpr auto enum_table(std::type_identity<Command>) {
  return enum_texts<Command>("run", "replay", "explain", "capacity", "plan");
}

// A key between two bounds. A unit makes the values quantities: "12.5 us".
struct SpanText {
  config::Place place;
  std::string key;
  double from = 0;
  double to = 0;
  std::string unit;
  Scale scale = Scale::kLinear;
  bool whole = false;
};

// One axis: values of a key; rows of several keys; tables; files; evenly spaced values; or a design
// over several keys.
struct AxisText {
  config::Place place;
  std::string block;
  std::string key;
  std::vector<std::string> keys;
  const config::ConfigValue* values = nullptr;
  const config::ConfigValue* points = nullptr;
  std::vector<std::string> files;
  std::optional<double> from;
  std::optional<double> to;
  std::optional<std::uint32_t> count;
  std::string unit;
  Scale scale = Scale::kLinear;
  bool whole = false;
  std::optional<Design> design;
  std::vector<SpanText> span;
};

struct SweepText {
  config::Place place;
  std::string description;
  Command command = Command::kRun;
  std::vector<AxisText> axes;
  std::string where;
  std::uint32_t repeats = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> outputs;
};

const config::Fields<SweepText>& sweep_fields();

// Whether a file has such a table.
bool is_sweep(const config::ConfigValue& tree);

// Throws ConfigError.
SweepText read_sweep(const config::ConfigValue& tree);

// Markdown: a section for each table, a row for each key.
std::string sweep_reference();

}  // namespace septet::sweep
