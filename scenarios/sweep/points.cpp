#include "scenarios/sweep/points.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files/sha256.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/sweep/condition.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

using Axes = std::vector<std::vector<Settings>>;

// The axes of each block, in the order of their first appearance.
std::vector<Axes> blocks_of(const SweepText& sweep) {
  std::vector<Axes> out;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    const AxisText& axis = sweep.axes[i];
    const auto known = std::ranges::find(names, axis.block);
    const auto place = static_cast<std::size_t>(known - names.begin());
    if (known == names.end()) {
      names.push_back(axis.block);
      out.emplace_back();
    }
    out[place].push_back(axis_values(axis, sweep.seed + i));
  }
  return out;
}

void check_size(const SweepText& sweep, const std::vector<Axes>& blocks) {
  double all = 0;
  for (const Axes& axes : blocks) {
    double product = sweep.repeats;
    for (const std::vector<Settings>& axis : axes) product *= static_cast<double>(axis.size());
    all += product;
  }
  if (all <= static_cast<double>(kMostPoints)) return;
  sweep.place.fail("axis", fmt::format("{:.3g} points", all),
                   fmt::format("at most {}", kMostPoints));
}

// A later axis wins where two set the same key.
void set(Settings& settings, const Setting& setting) {
  const auto same = std::ranges::find(settings, setting.first, &Setting::first);
  if (same == settings.end()) {
    settings.push_back(setting);
  } else {
    same->second = setting.second;
  }
}

std::vector<Settings> product_of(const Axes& axes) {
  std::vector<Settings> out = {{}};
  for (const std::vector<Settings>& axis : axes) {
    std::vector<Settings> next;
    next.reserve(out.size() * axis.size());
    for (const Settings& before : out) {
      for (const Settings& value : axis) {
        Settings& both = next.emplace_back(before);
        for (const Setting& setting : value) set(both, setting);
      }
    }
    out = std::move(next);
  }
  return out;
}

Condition::Lookup lookup_in(const Settings& settings, const ConfigValue& scenario) {
  return [&](const std::string& key) {
    const auto own = std::ranges::find(settings, key, &Setting::first);
    return own != settings.end() ? &own->second : config::find_dotted(scenario, key);
  };
}

std::int64_t first_seed(const Settings& settings, const ConfigValue& scenario) {
  const ConfigValue* seed = lookup_in(settings, scenario)("run.seed");
  const auto* number = seed == nullptr ? nullptr : std::get_if<std::int64_t>(&seed->data);
  return number == nullptr ? 1 : *number;
}

void take_change(Point& point) {
  const auto change = std::ranges::find(point.settings, std::string(kChange), &Setting::first);
  if (change == point.settings.end()) return;
  if (change->second.string() == nullptr) {
    throw ConfigError::value(change->second.where, kChange, described(change->second),
                             "a what-if as text; \"\" for none");
  }
  point.change = *change->second.string();
}

std::string name_of(const Point& point, const ConfigValue& scenario,
                    const std::string& data_version) {
  constexpr std::size_t kDigits = 16;
  ConfigValue tree = scenario;
  config::lay_over(tree, overlay_of(point, scenario.where));
  return files::sha256_of_text(
             fmt::format("{}\n{}\n{}", data_version, config::inline_toml(tree), point.change))
      .substr(0, kDigits);
}

void check_different(const SweepText& sweep, const std::vector<Point>& points) {
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [same, is_new] = seen.emplace(points[i].name, i);
    if (is_new) continue;
    sweep.place.fail("axis",
                     fmt::format("two points that are the same scenario: {} and {}",
                                 settings_text(points[same->second].settings),
                                 settings_text(points[i].settings)),
                     "values that each change something");
  }
}

std::vector<std::string> all_keys(const SweepText& sweep, const std::vector<Axes>& blocks) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& key) {
    if (std::ranges::find(out, key) == out.end()) out.push_back(key);
  };
  for (const Axes& axes : blocks) {
    for (const std::vector<Settings>& axis : axes) std::ranges::for_each(keys_of(axis), add);
  }
  if (sweep.repeats > 1) add("run.seed");
  return out;
}

}  // namespace

std::string settings_text(const Settings& settings) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : settings) {
    parts.push_back(fmt::format("{} = {}", key, config::inline_toml(value)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

config::ConfigValue overlay_of(const Point& point, const Location& where) {
  ConfigValue out{ConfigValue::Table{}, where};
  for (const auto& [key, value] : point.settings) {
    if (key != kChange) out.table()->push_back({key, value.where, value});
  }
  return config::undotted(out);
}

config::ConfigValue scenario_of(const ConfigValue& scenario, const Point& point) {
  ConfigValue out = scenario;
  config::lay_over(out, overlay_of(point, scenario.where));
  return out;
}

Points points_of(const SweepText& sweep, const ConfigValue& scenario,
                 const std::string& data_version) {
  const std::vector<Axes> blocks = blocks_of(sweep);
  check_size(sweep, blocks);
  const Condition condition(sweep.where, sweep.place.has("where")
                                             ? sweep.place.table->find("where")->where
                                             : sweep.place.where());
  Points out;
  out.keys = all_keys(sweep, blocks);
  for (const Axes& axes : blocks) {
    for (Settings& settings : product_of(axes)) {
      if (!condition.holds(lookup_in(settings, scenario))) continue;
      const std::int64_t seed = first_seed(settings, scenario);
      for (std::uint32_t repeat = 0; repeat < sweep.repeats; ++repeat) {
        Point& point = out.all.emplace_back();
        point.settings = settings;
        if (sweep.repeats > 1) {
          set(point.settings, {"run.seed", {seed + repeat, sweep.place.where()}});
        }
        take_change(point);
        point.name = name_of(point, scenario, data_version);
      }
    }
  }
  if (out.all.empty()) sweep.place.fail("axis", "no point", "at least one");
  check_different(sweep, out.all);
  return out;
}

}  // namespace septet::sweep
