#include "scenarios/validate/row_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/validate/case_keys.hpp"

namespace septet::validation {
namespace {

using Names = std::vector<std::string>;

const Names& row_keys() {
  static const Names kKeys = {"group", "case",       "metric",   "value", "unit",
                              "n",     "second_run", "hardware", "source"};
  return kKeys;
}

bool has(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Rows that were collected from publications say beside their case what each source said; what no
// case reads is a note.
bool is_published(const MeasuredRow& row) { return row.group.ends_with("_public"); }

// The commands of a Program are the product of these.
constexpr std::array kCounts = {"kernels", "kernels_each", "streams",  "nodes",
                                "graphs",  "width",        "depth",    "pairs",
                                "items",   "processes",    "launches", "host_threads"};
constexpr double kMostCommands = 1e6;
constexpr double kMostBlocks = 2e8;

// A fork and join has a node for each place of its width and depth.
bool is_counted_twice(const MeasuredRow& row, const std::string& key) {
  return key == "nodes" && row.has("width");
}

double commands_of(const MeasuredRow& row) {
  double out = 1;
  for (const char* key : kCounts) {
    if (!row.has(key) || is_counted_twice(row, key)) continue;
    const double count = row.number(key);
    if (count < 1) {
      throw ConfigError::value(row.where(), std::string("case.") + key, fmt::format("{:g}", count),
                               "at least 1");
    }
    out *= count;
  }
  return out;
}

double blocks_of(const MeasuredRow& row) {
  double out = row.has("blocks") ? row.number("blocks") : 1;
  if (row.has("background_blocks")) out += row.number("background_blocks");
  return out;
}

std::optional<std::string> too_large(const MeasuredRow& row) {
  const double commands = commands_of(row);
  if (commands > kMostCommands) {
    return fmt::format("{:g} commands, more than the limit of {:g} per row", commands,
                       kMostCommands);
  }
  const double blocks = commands * blocks_of(row);
  if (blocks <= kMostBlocks) return std::nullopt;
  return fmt::format("{:g} blocks, more than the limit of {:g} per row", blocks, kMostBlocks);
}

constexpr std::array kVectors = {"vec", "mem_vec", "compute_vec"};
constexpr std::array kUnrolls = {"unroll", "mem_unroll", "compute_unroll"};

// Whether the row has a key that its group knows.
bool knows(const MeasuredRow& row, const char* key) {
  return row.has(key) && has(case_keys(row.group), key);
}

// Bytes of one thread's load.
void check_vector(const MeasuredRow& row, const char* key) {
  constexpr std::array<std::int64_t, 5> kSizes = {1, 2, 4, 8, 16};
  const std::int64_t size = row.integer(key);
  if (std::ranges::find(kSizes, size) != kSizes.end()) return;
  throw ConfigError::value(row.where(), std::string("case.") + key, std::to_string(size),
                           "1, 2, 4, 8 or 16 bytes");
}

void check_l2(const MeasuredRow& row) {
  static const Names kStates = {"cold", "warm", "warm where six weights fit"};
  const std::string state = row.text("l2");
  if (has(kStates, state)) return;
  throw ConfigError::value(
      row.where(), "case.l2", "\"" + state + "\"",
      "one of: " + config::listed(kStates) + config::did_you_mean(state, kStates));
}

// The metrics of a group; none where the group isn't known.
Names metrics_of(const std::string& group) {
  Names out;
  for (const MetricNames& part : metric_names_by_unit()) {
    if (part.group == group) out.insert(out.end(), part.names.begin(), part.names.end());
  }
  return out;
}

}  // namespace

void check_keys(const MeasuredRow& row, const nlohmann::ordered_json& object) {
  const auto check = [&](const Names& known, const std::string& prefix, const std::string& key) {
    if (has(known, key)) return;
    throw ConfigError(row.where(), fmt::format("unknown key {}{}{}", prefix, key,
                                               config::did_you_mean(key, known)));
  };
  if (is_published(row)) return;
  for (const auto& [key, value] : object.items()) check(row_keys(), "", key);
  for (const auto& [key, value] : row.case_->items()) check(case_keys(row.group), "case.", key);
}

void check_value(const MeasuredRow& row) {
  if (row.value && !(*row.value >= 0 && std::isfinite(*row.value))) {
    throw ConfigError::value(row.where(), "value", fmt::format("{:g}", *row.value),
                             "a non-negative number");
  }
  if (row.unit.empty() && !row.value) return;
  for (const MetricNames& part : metric_names_by_unit()) {
    if (part.group != row.group || !has(part.names, row.metric) || part.unit == row.unit) continue;
    throw ConfigError::value(row.where(), "unit",
                             row.unit.empty() ? "nothing" : "\"" + row.unit + "\"",
                             fmt::format("\"{}\" for {}", part.unit, row.metric));
  }
}

void check_case(const MeasuredRow& row) {
  for (const char* key : kVectors) {
    if (knows(row, key)) check_vector(row, key);
  }
  for (const char* key : kUnrolls) {
    if (!knows(row, key) || row.integer(key) >= 1) continue;
    throw ConfigError::value(row.where(), std::string("case.") + key, "0", "at least 1");
  }
  if (knows(row, "l2")) check_l2(row);
}

std::optional<std::string> why_unanswerable(const MeasuredRow& row) {
  const Names known = metrics_of(row.group);
  if (!known.empty() && !has(known, row.metric)) {
    return fmt::format("group {} has no metric {}; it has {}", row.group, row.metric,
                       config::listed(known));
  }
  return row.profiled ? std::nullopt : too_large(row);
}

std::vector<std::string> row_warnings(const std::vector<MeasuredRow>& rows) {
  std::map<std::string, std::pair<Location, std::size_t>> nulls;  // by file: the first, how many
  for (const MeasuredRow& row : rows) {
    if (!row.null_value) continue;
    auto& [first, count] = nulls.try_emplace(row.file, row.where(), 0U).first->second;
    ++count;
  }
  std::vector<std::string> out;
  for (const auto& [file, entry] : nulls) {
    const auto& [first, count] = entry;
    out.push_back(fmt::format("{}: value is null, nothing to compare with, in {} row{}",
                              first.text(), count, count == 1 ? "" : "s"));
  }
  return out;
}

}  // namespace septet::validation
