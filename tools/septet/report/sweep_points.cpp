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

// point, status, the keys, the outputs, message
std::size_t columns_of(const SweepPoints& sweep) {
  return 3 + sweep.keys.size() + sweep.outputs.size();
}

SweepPoint point_of(const SweepPoints& sweep, const nsight::CsvRecord& record,
                    const std::string& file) {
  const Location where{file, static_cast<int>(record.line)};
  if (record.fields.size() != columns_of(sweep)) {
    throw ConfigError::value(where, "the row", fmt::format("{} values", record.fields.size()),
                             fmt::format("{}", columns_of(sweep)));
  }
  auto field = record.fields.begin();
  SweepPoint out;
  out.name = *field++;
  out.status = *field++;
  out.keys.assign(field, field + static_cast<std::ptrdiff_t>(sweep.keys.size()));
  field += static_cast<std::ptrdiff_t>(sweep.keys.size());
  for (const SweepOutput& output : sweep.outputs) {
    out.outputs.push_back(number_of(*field++, where, output.name));
  }
  out.message = *field;
  return out;
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
  for (std::size_t i = 2 + out.keys.size(); i + 1 < head->fields.size(); ++i) {
    SweepOutput output{head->fields[i], "", ""};
    for (const Json& one : summary.at("outputs")) {
      if (one.at("name") != output.name) continue;
      output.units = one.at("units");
      output.meaning = one.at("meaning");
    }
    out.outputs.push_back(std::move(output));
  }
  while (const std::optional<nsight::CsvRecord> record = reader.next()) {
    out.points.push_back(point_of(out, *record, csv.string()));
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
