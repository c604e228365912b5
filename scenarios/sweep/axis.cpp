#include "scenarios/sweep/axis.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <glob.h>

#include "scenarios/sweep/design.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

// Between two bounds at `share` from 0 to 1.
double between(double from, double to, Scale scale, double share) {
  if (scale == Scale::kLinear) return from + (to - from) * share;
  return from * std::pow(to / from, share);
}

ConfigValue number(double value, const std::string& unit, bool whole, const Location& where) {
  if (!unit.empty()) {
    return {whole ? fmt::format("{:.0f} {}", value, unit) : fmt::format("{:.9g} {}", value, unit),
            where};
  }
  if (whole) return {static_cast<std::int64_t>(std::llround(value)), where};
  return {value, where};
}

void check_span(const config::Place& place, double from, double to, Scale scale) {
  if (scale == Scale::kLog && (from <= 0 || to <= 0)) {
    place.fail("from", fmt::format("{} to {}", from, to), "bounds above 0 on a log scale");
  }
}

std::vector<Settings> listed(const AxisText& axis) {
  std::vector<Settings> out;
  for (const ConfigValue& value : *axis.values->array()) out.push_back({{axis.key, value}});
  return out;
}

std::vector<Settings> zipped(const AxisText& axis) {
  std::vector<Settings> out;
  for (const ConfigValue& row : *axis.values->array()) {
    if (row.array() == nullptr || row.array()->size() != axis.keys.size()) {
      throw ConfigError::value(
          row.where, config::joined(axis.place.path, "values"), described(row),
          fmt::format("a list of {} values, one for each key", axis.keys.size()));
    }
    Settings& settings = out.emplace_back();
    for (std::size_t k = 0; k < axis.keys.size(); ++k) {
      settings.emplace_back(axis.keys[k], (*row.array())[k]);
    }
  }
  return out;
}

std::vector<Settings> tables(const AxisText& axis) {
  std::vector<Settings> out;
  for (const ConfigValue& point : *axis.points->array()) {
    if (point.table() == nullptr || point.table()->empty()) {
      throw ConfigError::value(point.where, config::joined(axis.place.path, "points"),
                               described(point), "a table with at least one key");
    }
    Settings& settings = out.emplace_back();
    for (const config::ConfigEntry& entry : *point.table()) {
      settings.emplace_back(entry.key, entry.value);
    }
  }
  return out;
}

// Names as the pattern has them, so that they say nothing of the machine.
std::vector<Settings> matching(const AxisText& axis) {
  const std::filesystem::path folder = std::filesystem::path(axis.place.where().file).parent_path();
  std::vector<Settings> out;
  for (const std::string& pattern : axis.files) {
    glob_t found{};
    const int error = glob((folder / pattern).c_str(), GLOB_ERR, nullptr, &found);
    const std::vector<std::string> names(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    if (error != 0) {
      axis.place.fail("files", "\"" + pattern + "\", which no file has", "names of files");
    }
    for (const std::string& name : names) {
      const std::string text =
          pattern.starts_with("/")
              ? name
              : std::filesystem::path(name).lexically_relative(folder).string();
      out.push_back({{axis.key, {text, axis.place.where()}}});
    }
  }
  return out;
}

std::vector<Settings> spaced(const AxisText& axis) {
  if (!axis.from || !axis.to || !axis.count) {
    axis.place.fail("count", "some of from, to, count", "all three");
  }
  check_span(axis.place, *axis.from, *axis.to, axis.scale);
  std::vector<Settings> out;
  const double last = std::max(1.0, *axis.count - 1.0);
  for (std::uint32_t i = 0; i < *axis.count; ++i) {
    const double value = between(*axis.from, *axis.to, axis.scale, i / last);
    out.push_back({{axis.key, number(value, axis.unit, axis.whole, axis.place.where())}});
  }
  return out;
}

std::vector<Settings> designed(const AxisText& axis, std::uint64_t seed) {
  if (axis.span.empty() || !axis.count) {
    axis.place.fail("design", "no span or no count", "count and [[sweep.axis.span]] tables");
  }
  for (const SpanText& span : axis.span) check_span(span.place, span.from, span.to, span.scale);
  std::vector<Settings> out;
  for (const std::vector<double>& point :
       design_points(*axis.design, *axis.count, axis.span.size(), seed)) {
    Settings& settings = out.emplace_back();
    for (std::size_t k = 0; k < axis.span.size(); ++k) {
      const SpanText& span = axis.span[k];
      const double value = between(span.from, span.to, span.scale, point[k]);
      settings.emplace_back(span.key, number(value, span.unit, span.whole, span.place.where()));
    }
  }
  return out;
}

}  // namespace

std::vector<Settings> axis_values(const AxisText& axis, std::uint64_t seed) {
  const bool spacing = axis.from || axis.to;
  const int forms = (axis.values != nullptr ? 1 : 0) + (axis.points != nullptr ? 1 : 0) +
                    (axis.files.empty() ? 0 : 1) + (spacing ? 1 : 0) + (axis.design ? 1 : 0);
  if (forms != 1) {
    axis.place.fail("values", forms == 0 ? "nothing" : "several of them",
                    "one of values, points, files, from and to, or design");
  }
  const int named = (axis.key.empty() ? 0 : 1) + (axis.keys.empty() ? 0 : 1);
  const bool names_itself = axis.points != nullptr || axis.design;
  if (named != (names_itself ? 0 : 1)) {
    axis.place.fail("key", named == 0 ? "nothing" : "a key",
                    names_itself ? "none: the points name theirs" : "key, or keys");
  }
  if (axis.points != nullptr) return tables(axis);
  if (axis.design) return designed(axis, seed);
  if (axis.values == nullptr && !axis.keys.empty()) {
    axis.place.fail("keys", "several keys", "one key, except for values");
  }
  if (!axis.files.empty()) return matching(axis);
  if (spacing) return spaced(axis);
  return axis.keys.empty() ? listed(axis) : zipped(axis);
}

std::vector<std::string> keys_of(const std::vector<Settings>& values) {
  std::vector<std::string> out;
  for (const Settings& settings : values) {
    for (const auto& [key, value] : settings) {
      if (std::ranges::find(out, key) == out.end()) out.push_back(key);
    }
  }
  return out;
}

}  // namespace septet::sweep
