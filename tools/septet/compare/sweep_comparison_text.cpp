// A comparison of sweeps as text and as JSON.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/septet/compare/sweep_comparison.hpp"
#include "tools/septet/optional_json.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

std::string percent_text(const PointChange& change) {
  return change.percent() ? change.percent_text() : "from 0";
}

Json json_of(const PointChange& change) {
  return {{"point", change.point},
          {"a", change.a},
          {"b", change.b},
          {"change_pct", or_null(change.percent())},
          {"half_width_95", change.half_width},
          {"sure", change.is_sure()}};
}

std::string listed(const char* title, const std::vector<std::string>& points) {
  constexpr std::size_t kMost = 10;
  if (points.empty()) return "";
  std::string out = fmt::format("{}:\n", title);
  for (std::size_t i = 0; i < std::min(kMost, points.size()); ++i) out += "  " + points[i] + "\n";
  if (points.size() > kMost) out += fmt::format("  and {} more\n", points.size() - kMost);
  return out;
}

std::vector<std::string> texts_of(const std::vector<TextChange>& statuses) {
  std::vector<std::string> out;
  for (const TextChange& one : statuses) {
    const std::string output = one.output.empty() ? "" : one.output + " at ";
    out.push_back(fmt::format("{}{}: {} -> {}", output, one.point, one.a, one.b));
  }
  return out;
}

}  // namespace

std::string comparison_text(const SweepComparison& comparison, std::size_t columns) {
  std::vector<TableColumn> titles = {{"output", Align::kLeft, true},
                                     {"median", Align::kRight},
                                     {"largest", Align::kRight},
                                     {"changed", Align::kRight},
                                     {"at", Align::kLeft, true}};
  TablePrinter table(titles);
  for (const OutputChanges& output : comparison.outputs) {
    const PointChange* largest = output.largest();
    if (largest == nullptr) continue;
    table.add_row({output.name, fmt::format("{:+.2f} %", output.median_pct()),
                   percent_text(*largest),
                   fmt::format("{} of {}", output.sure(), output.points.size()),
                   output.sure() == 0 ? "" : largest->point});
  }
  std::string out = table.text(columns);
  out += fmt::format("{} points compared, {} only in A, {} only in B, {} with another status\n",
                     comparison.compared, comparison.only_a.size(), comparison.only_b.size(),
                     comparison.statuses.size());
  if (comparison.repeated) {
    out +=
        "changes are means over seeds with 95 % intervals (Student's t, paired by seed); those "
        "within are not counted as changed\n";
  }
  return out + listed("only in one of them", comparison.one_sided) +
         listed("only in A", comparison.only_a) + listed("only in B", comparison.only_b) +
         listed("another status", texts_of(comparison.statuses)) +
         listed("another text", texts_of(comparison.texts));
}

Json comparison_json(const SweepComparison& comparison) {
  Json statuses = Json::array();
  for (const TextChange& one : comparison.statuses) {
    statuses.push_back({{"point", one.point}, {"a", one.a}, {"b", one.b}});
  }
  Json texts = Json::array();
  for (const TextChange& one : comparison.texts) {
    texts.push_back({{"output", one.output}, {"point", one.point}, {"a", one.a}, {"b", one.b}});
  }
  Json outputs = Json::array();
  for (const OutputChanges& output : comparison.outputs) {
    const PointChange* largest = output.largest();
    Json points = Json::array();
    for (const PointChange& point : output.points) {
      if (point.a != point.b) points.push_back(json_of(point));
    }
    outputs.push_back({{"name", output.name},
                       {"units", output.units},
                       {"compared", output.points.size()},
                       {"changed", output.sure()},
                       {"came_or_went", output.came_or_went},
                       {"median_change_pct", output.median_pct()},
                       {"largest", largest == nullptr ? Json() : json_of(*largest)},
                       {"points", std::move(points)}});
  }
  return {{"points", comparison.compared},
          {"interval", comparison.repeated ? Json("95 %, Student's t, paired by seed") : Json()},
          {"only_a", comparison.only_a},
          {"only_b", comparison.only_b},
          {"one_sided", comparison.one_sided},
          {"statuses", std::move(statuses)},
          {"texts", std::move(texts)},
          {"outputs", std::move(outputs)}};
}

}  // namespace septet::command
