#include "tools/septet/report/sweep_points.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/statistics.hpp"
#include "core/files/input.hpp"
#include "models/workload/nsight/csv.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

double number_of(const std::string& text, const Location& where, const std::string& column) {
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) {
    throw ConfigError::value(where, column, "\"" + text + "\"", "a number or nothing");
  }
  return value;
}

constexpr const char* kText = "text";  // units of an output that is no number

// point, status, the keys, `is_text` of each output, message
SweepPoint point_of(const std::vector<std::string>& head, std::size_t keys,
                    const std::vector<bool>& is_text, const nsight::CsvRecord& record,
                    const std::string& file) {
  const Location where{file, static_cast<int>(record.line)};
  if (record.fields.size() != head.size()) {
    throw ConfigError::value(where, "the row", fmt::format("{} values", record.fields.size()),
                             fmt::format("{}", head.size()));
  }
  SweepPoint out;
  out.name = record.fields[0];
  out.status = record.fields[1];
  const auto first_key = record.fields.begin() + 2;
  out.keys.assign(first_key, first_key + static_cast<std::ptrdiff_t>(keys));
  for (std::size_t i = 0; i < is_text.size(); ++i) {
    const std::size_t at = 2 + keys + i;
    if (is_text[i]) {
      out.texts.push_back(record.fields[at]);
    } else {
      out.outputs.push_back(number_of(record.fields[at], where, head[at]));
    }
  }
  out.message = record.fields.back();
  return out;
}

SweepOutput output_of(const std::string& name, const Json& summary) {
  for (const Json& one : summary.at("outputs")) {
    if (one.at("name") != name) continue;
    return {name, one.at("units"), one.at("meaning"), one.value("better", "")};
  }
  return {name, "", ""};
}

SweepPoints columns_in(const Json& summary) {
  SweepPoints out;
  for (const Json& key : summary.at("keys")) out.keys.push_back(key);
  return out;
}

}  // namespace

SweepPoints read_sweep_points(const std::filesystem::path& csv, const Json& summary) {
  SweepPoints out = columns_in(summary);
  std::istringstream text(files::read_text(csv));
  nsight::CsvReader reader(text);
  const std::optional<nsight::CsvRecord> head = reader.next();
  if (!head || head->fields.size() < 3 + out.keys.size()) {
    throw ConfigError({csv.string(), 1}, "not the table that belongs to sweep.json");
  }
  // Only some of the outputs may have been asked for: the head says which.
  std::vector<bool> is_text;
  for (std::size_t i = 2 + out.keys.size(); i + 1 < head->fields.size(); ++i) {
    SweepOutput output = output_of(head->fields[i], summary);
    is_text.push_back(output.units == kText);
    if (is_text.back()) {
      out.texts.push_back(std::move(output.name));
    } else {
      out.outputs.push_back(std::move(output));
    }
  }
  while (const std::optional<nsight::CsvRecord> record = reader.next()) {
    out.points.push_back(point_of(head->fields, out.keys.size(), is_text, *record, csv.string()));
  }
  return out;
}

std::vector<std::size_t> pareto_front(const SweepPoints& sweep, std::size_t first,
                                      std::size_t second) {
  const auto cost = [&](std::size_t point, std::size_t output) {
    SEPTET_ASSERT(!sweep.outputs[output].better.empty());
    const double value = sweep.points[point].outputs[output];
    return sweep.outputs[output].better == "less" ? value : -value;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    if (!std::isnan(cost(i, first)) && !std::isnan(cost(i, second))) order.push_back(i);
  }
  std::ranges::stable_sort(
      order, {}, [&](std::size_t i) { return std::pair(cost(i, first), cost(i, second)); });
  std::vector<std::size_t> out;
  for (const std::size_t i : order) {
    // What comes before is no worse in the first output: only less of the second counts.
    if (out.empty() || cost(i, second) < cost(out.back(), second)) out.push_back(i);
  }
  return out;
}

double MainEffect::least() const { return std::ranges::min(levels, {}, &Level::median).median; }
double MainEffect::most() const { return std::ranges::max(levels, {}, &Level::median).median; }

std::vector<MainEffect> main_effects(const SweepPoints& sweep, std::size_t output) {
  std::vector<MainEffect> out;
  for (std::size_t key = 0; key < sweep.keys.size(); ++key) {
    std::vector<std::pair<std::string, std::vector<double>>> levels;  // by first appearance
    std::map<std::string, std::size_t> places;
    for (const SweepPoint& point : sweep.points) {
      const double value = point.outputs[output];
      if (std::isnan(value)) continue;
      const auto [place, is_new] = places.emplace(point.keys[key], levels.size());
      if (is_new) levels.emplace_back(point.keys[key], std::vector<double>());
      levels[place->second].second.push_back(value);
    }
    if (levels.size() < 2) continue;
    MainEffect effect{key, {}};
    for (auto& [value, results] : levels) {
      std::ranges::sort(results);
      effect.levels.push_back({value, median(results), results.size()});
    }
    out.push_back(std::move(effect));
  }
  std::ranges::stable_sort(out, std::ranges::greater{},
                           [](const MainEffect& one) { return one.most() - one.least(); });
  return out;
}

}  // namespace septet::command
