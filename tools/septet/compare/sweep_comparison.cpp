#include "tools/septet/compare/sweep_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/mean_estimate.hpp"
#include "core/base/statistics.hpp"

namespace septet::command {
namespace {

constexpr const char* kSeed = "run.seed";

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return place_of(names, name) < names.size();
}

// A point's runs by their seed; empty: it has none.
using Seeds = std::map<std::string, const SweepPoint*>;

struct Matched {
  std::vector<std::string> order;  // of points
  std::map<std::string, Seeds> points;
};

Matched points_by(const SweepPoints& sweep, const std::vector<std::string>& keys,
                  const char* which) {
  Matched out;
  for (const SweepPoint& point : sweep.points) {
    std::vector<std::string> parts;
    std::string seed;
    for (const std::string& key : keys) {
      const std::string& value = point.keys[place_of(sweep.keys, key)];
      if (key == kSeed) {
        seed = value;
      } else {
        parts.push_back(fmt::format("{} = {}", key, value));
      }
    }
    const std::string name = fmt::format("{}", fmt::join(parts, ", "));
    if (!out.points.contains(name)) out.order.push_back(name);
    if (!out.points[name].emplace(seed, &point).second) {
      throw ConfigError({which}, "several points with " + name +
                                     ": a key that the other sweep lacks tells them apart");
    }
  }
  return out;
}

std::string with_seed(const std::string& name, const std::string& seed) {
  return seed.empty() ? name : fmt::format("{}, {} = {}", name, kSeed, seed);
}

void list_missing(const Matched& from, const Matched& in, std::vector<std::string>& out) {
  for (const std::string& name : from.order) {
    const auto other = in.points.find(name);
    for (const auto& [seed, point] : from.points.at(name)) {
      const bool there = other != in.points.end() && other->second.contains(seed);
      if (!there) out.push_back(with_seed(name, seed));
    }
  }
}

// Runs of one point with the same seeds.
using Pairs = std::vector<std::pair<const SweepPoint*, const SweepPoint*>>;

// Output `a` of A and `b` of B.
void add_change(const std::string& name, const Pairs& pairs, std::size_t a, std::size_t b,
                OutputChanges& out) {
  std::vector<double> before;
  std::vector<double> differences;
  for (const auto& [left, right] : pairs) {
    const double from = left->outputs[a];
    const double to = right->outputs[b];
    if (std::isnan(from) != std::isnan(to)) ++out.came_or_went;
    if (std::isnan(from) || std::isnan(to)) continue;
    before.push_back(from);
    differences.push_back(to - from);
  }
  if (before.empty()) return;
  const MeanEstimate change = mean_estimate(differences);
  const double from = mean_estimate(before).mean;
  out.points.push_back({{from, from + change.mean, change.half_width}, name});
}

std::vector<std::string> names_of(const std::vector<SweepOutput>& outputs) {
  std::vector<std::string> out;
  for (const SweepOutput& output : outputs) out.push_back(output.name);
  return out;
}

void list_one_sided(const std::vector<std::string>& a, const std::vector<std::string>& b,
                    const char* what, std::vector<std::string>& out) {
  for (const auto& [from, in, side] : {std::tuple(&a, &b, "A"), std::tuple(&b, &a, "B")}) {
    for (const std::string& name : *from) {
      if (!has(*in, name)) out.push_back(fmt::format("{} {} (only {})", what, name, side));
    }
  }
}

void add_texts(const SweepPoints& a, const SweepPoints& b, const std::string& name,
               const Pairs::value_type& runs, const std::vector<std::string>& ignored,
               std::vector<TextChange>& out) {
  for (std::size_t i = 0; i < a.texts.size(); ++i) {
    const std::size_t in_b = place_of(b.texts, a.texts[i]);
    if (in_b == b.texts.size() || has(ignored, a.texts[i])) continue;
    const std::string& from = runs.first->texts[i];
    const std::string& to = runs.second->texts[in_b];
    if (from != to) out.push_back({name, from, to, a.texts[i]});
  }
}

}  // namespace

double OutputChanges::median_pct() const {
  std::vector<double> all;
  for (const PointChange& point : points) {
    if (const auto percent = point.percent()) all.push_back(*percent);
  }
  std::ranges::sort(all);
  return all.empty() ? 0 : median(all);
}

const PointChange* OutputChanges::largest() const {
  const auto size = [](const PointChange& point) {
    return point.percent() ? std::abs(*point.percent()) : HUGE_VAL;
  };
  const auto found = std::ranges::max_element(points, {}, size);
  return found == points.end() ? nullptr : &*found;
}

std::size_t OutputChanges::sure() const {
  return static_cast<std::size_t>(std::ranges::count_if(points, &PointChange::is_sure));
}

SweepComparison compare_sweeps(const SweepPoints& a, const SweepPoints& b,
                               const std::vector<std::string>& ignored) {
  std::vector<std::string> keys;
  std::ranges::copy_if(a.keys, std::back_inserter(keys),
                       [&](const std::string& key) { return has(b.keys, key); });
  const Matched left = points_by(a, keys, "A");
  const Matched right = points_by(b, keys, "B");
  const std::vector<std::string> outputs_of_b = names_of(b.outputs);
  SweepComparison out;
  list_one_sided(a.keys, b.keys, "key", out.one_sided);
  list_one_sided(names_of(a.outputs), outputs_of_b, "output", out.one_sided);
  list_missing(left, right, out.only_a);
  list_missing(right, left, out.only_b);
  for (const SweepOutput& output : a.outputs) {
    const bool wanted = has(outputs_of_b, output.name) && !has(ignored, output.name);
    if (wanted) out.outputs.push_back({output.name, output.units, {}});
  }
  const std::vector<std::string> outputs_of_a = names_of(a.outputs);
  for (const std::string& name : left.order) {
    if (!right.points.contains(name)) continue;
    Pairs pairs;
    for (const auto& [seed, point] : left.points.at(name)) {
      const auto other = right.points.at(name).find(seed);
      if (other == right.points.at(name).end()) continue;
      pairs.emplace_back(point, other->second);
      if (point->status != other->second->status) {
        out.statuses.push_back({with_seed(name, seed), point->status, other->second->status});
      }
      add_texts(a, b, with_seed(name, seed), {point, other->second}, ignored, out.texts);
    }
    out.compared += pairs.size();
    out.repeated |= pairs.size() > 1;
    for (OutputChanges& output : out.outputs) {
      add_change(name, pairs, place_of(outputs_of_a, output.name),
                 place_of(outputs_of_b, output.name), output);
    }
  }
  return out;
}

std::size_t count_above(const SweepComparison& comparison, double limit_pct) {
  std::size_t out =
      comparison.only_a.size() + comparison.only_b.size() + comparison.statuses.size();
  for (const OutputChanges& output : comparison.outputs) {
    out += output.came_or_went;
    out += static_cast<std::size_t>(std::ranges::count_if(
        output.points, [&](const PointChange& point) { return point.exceeds(limit_pct); }));
  }
  return out;
}

}  // namespace septet::command
