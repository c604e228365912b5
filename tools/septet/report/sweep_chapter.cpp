// A sweep: which key matters, how the first output depends on it, what failed, and all points.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/base/statistics.hpp"
#include "tools/septet/report/chapter.hpp"
#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/report/sweep_charts.hpp"
#include "tools/septet/report/sweep_points.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 500;  // in the table of all
constexpr std::size_t kLongestValue = 40;

std::string shown(const std::string& value) {
  return value.empty() ? "(none)" : shorten(printable(value), kLongestValue);
}

Figure effects_figure(const SweepPoints& sweep, std::size_t output,
                      const std::vector<MainEffect>& effects, const std::string& id) {
  BarChart chart{"largest median of a value, as a multiple of the smallest", {"range"}, {}, ""};
  ReportTable data{{"key", "value", "points", "median of " + label_of(sweep.outputs[output])}, {}};
  for (const MainEffect& effect : effects) {
    const std::string& key = sweep.keys[effect.key];
    const double range = effect.least() > 0 ? effect.most() / effect.least() : 0;
    chart.rows.push_back({key, {range}, rounded(range) + "x"});
    for (const MainEffect::Level& level : effect.levels) {
      data.rows.push_back({text_cell(key), text_cell(shown(level.value)),
                           number_cell(static_cast<double>(level.points), 9),
                           number_cell(level.median)});
    }
  }
  const std::string finding =
      fmt::format("{} depends most on {}: by a factor of {}", sweep.outputs[output].name,
                  chart.rows.front().name, rounded(chart.rows.front().parts.front()));
  chart.description = "Range of medians by key. " + finding;
  return {id + "effects", finding, bar_chart(chart), data,
          "Median over all points with the same value of the key, whatever the other keys are."};
}

// The median of each pair of values of two keys; `by`: of the series.
LineChart curves(const SweepPoints& sweep, std::size_t output, std::size_t along,
                 std::optional<std::size_t> by) {
  std::map<std::string, std::map<double, std::vector<double>>> groups;
  std::vector<std::string> order;
  std::string unit;
  for (const SweepPoint& point : sweep.points) {
    const std::optional<Quantity> at = quantity_of(point.keys[along]);
    if (!at || std::isnan(point.outputs[output])) continue;
    const std::string series = by ? shown(point.keys[*by]) : "";
    if (std::ranges::find(order, series) == order.end()) order.push_back(series);
    groups[series][at->number].push_back(point.outputs[output]);
    unit = at->unit;
  }
  LineChart out;
  std::vector<double> x;
  std::vector<double> y;
  for (const std::string& name : order) {
    Series series{name, {}};
    for (auto& [at, values] : groups[name]) {
      std::ranges::sort(values);
      const double middle = median(values);
      x.push_back(at);
      y.push_back(middle);
      series.points.push_back({at, middle, 0,
                               fmt::format("{}{}{}: {}", name, name.empty() ? "" : ", ",
                                           rounded(at), rounded(middle, 4)),
                               true});
    }
    out.series.push_back(std::move(series));
  }
  const auto all_wide = [](const std::vector<double>& values) {
    return is_wide(std::ranges::min(values), std::ranges::max(values));
  };
  out.x = axis_over(sweep.keys[along] + (unit.empty() ? "" : "," + unit), x, all_wide(x));
  out.y = axis_over("median of " + label_of(sweep.outputs[output]), y, all_wide(y));
  return out;
}

bool is_numeric(const SweepPoints& sweep, std::size_t key) {
  std::optional<std::string> unit;
  for (const SweepPoint& point : sweep.points) {
    const std::optional<Quantity> value = quantity_of(point.keys[key]);
    if (!value || (unit && *unit != value->unit)) return false;
    unit = value->unit;
  }
  return unit.has_value();
}

std::optional<Figure> curve_figure(const SweepPoints& sweep, std::size_t output,
                                   const std::vector<MainEffect>& effects, const std::string& id) {
  constexpr std::size_t kMostSeries = 5;
  std::optional<std::size_t> along;
  std::optional<std::size_t> by;
  for (const MainEffect& effect : effects) {
    if (!along && is_numeric(sweep, effect.key)) {
      along = effect.key;
    } else if (!by && effect.levels.size() <= kMostSeries) {
      by = effect.key;
    }
  }
  if (!along) return std::nullopt;
  LineChart chart = curves(sweep, output, *along, by);
  const std::string finding =
      fmt::format("{} along {}{}", sweep.outputs[output].name, sweep.keys[*along],
                  by ? ", for each " + sweep.keys[*by] : "");
  chart.description = finding;
  return Figure{id + "curve", finding, line_chart(chart), {}, "Medians over the other keys."};
}

ReportTable all_points(const SweepPoints& sweep) {
  ReportTable out{{}, {}, fmt::format("All {} points", sweep.points.size()), true};
  if (sweep.points.size() > kMostPoints) {
    out.caption = fmt::format("The first {} of {} points; all are in sweep.csv", kMostPoints,
                              sweep.points.size());
  }
  for (const std::string& key : sweep.keys) out.columns.push_back(key);
  for (const std::string& name : sweep.texts) out.columns.push_back(name);
  for (const SweepOutput& output : sweep.outputs) out.columns.push_back(label_of(output));
  out.columns.emplace_back("status");
  for (const SweepPoint& point : sweep.points) {
    if (out.rows.size() == kMostPoints) break;
    std::vector<Cell> row;
    for (const std::string& value : point.keys) row.push_back(text_cell(shown(value)));
    for (const std::string& value : point.texts) row.push_back(text_cell(shown(value)));
    for (const double value : point.outputs) row.push_back(number_cell(value));
    row.push_back(text_cell(point.status));
    out.rows.push_back(std::move(row));
  }
  return out;
}

void add_failures(const SweepPoints& sweep, const std::string& id, Chapter& chapter) {
  std::map<std::pair<std::string, std::string>, double> reasons;
  for (const SweepPoint& point : sweep.points) {
    if (!point.message.empty()) ++reasons[{point.status, point.message}];
  }
  if (reasons.empty()) return;
  ReportTable table{{"points", "status", "why"}, {}};
  for (const auto& [reason, count] : reasons) {
    table.rows.push_back(
        {number_cell(count, 9), text_cell(reason.first), text_cell(reason.second)});
  }
  chapter.sections.push_back({id + "failures", "Points without a result", {table}});
}

void add_all_at_once(const SweepPoints& sweep, const std::string& id, Chapter& chapter) {
  Section section{id + "all-at-once", "All points at once", {}};
  if (auto pareto = pareto_figure(sweep, id)) {
    chapter.statements.push_back(pareto->finding + ".");
    section.blocks.push_back(std::move(*pareto));
  }
  if (auto parallel = parallel_figure(sweep, id)) section.blocks.push_back(std::move(*parallel));
  if (!section.blocks.empty()) chapter.sections.push_back(std::move(section));
}

}  // namespace

void fill_sweep(const Result& result, const std::string& id, Chapter& chapter) {
  const Json& root = result.summary;
  const SweepPoints sweep = read_sweep_points(result.folder / "sweep.csv", root);
  const double failed = root.at("failed");
  chapter.verdict = failed > 0 ? Verdict::kBad : Verdict::kNeutral;
  chapter.statement =
      fmt::format("{} points simulated{}.", rounded(root.at("completed"), 9),
                  failed > 0 ? ", " + rounded(failed, 9) + " without a result" : "");
  chapter.key_numbers.numbers = {{"points", rounded(root.at("points"), 9), ""},
                                 {"keys that vary", std::to_string(sweep.keys.size()), ""}};
  for (std::size_t i = 0; i < sweep.outputs.size() && i < 3; ++i) {
    const std::vector<MainEffect> effects = main_effects(sweep, i);
    if (effects.empty() || effects.front().least() <= 0) continue;
    if (effects.front().most() == effects.front().least()) continue;  // the same everywhere
    const std::string own = fmt::format("{}output-{}-", id, i);
    Section section{own + "section", sweep.outputs[i].name, {}};
    if (!sweep.outputs[i].meaning.empty()) {
      section.blocks.push_back(Paragraph{sweep.outputs[i].meaning});
    }
    section.blocks.push_back(effects_figure(sweep, i, effects, own));
    chapter.statements.push_back(std::get<Figure>(section.blocks.back()).finding + ".");
    if (auto curve = curve_figure(sweep, i, effects, own)) section.blocks.push_back(*curve);
    chapter.sections.push_back(std::move(section));
  }
  if (!sweep.outputs.empty()) add_all_at_once(sweep, id, chapter);
  add_failures(sweep, id, chapter);
  chapter.sections.push_back({id + "points", "Points", {all_points(sweep)}});
}

}  // namespace septet::command
