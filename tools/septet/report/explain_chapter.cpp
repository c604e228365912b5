// A kernel, stage by stage.
#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/report/chapter.hpp"
#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

Figure stages_figure(const Json& root, const std::string& id) {
  BarChart chart{"time, us", {"time"}, {}, ""};
  ReportTable data{{"stage", "us", "share, %"}, {}};
  const Json* longest = nullptr;
  for (const Json& stage : root.at("stages")) {
    const double share = stage.at("share");
    chart.rows.push_back(
        {stage.at("name"), {stage.at("time_us").get<double>()}, percent_text(share)});
    data.rows.push_back(
        {text_cell(stage.at("name")), number_cell(stage.at("time_us")), number_cell(100 * share)});
    if (longest == nullptr || share > longest->at("share").get<double>()) longest = &stage;
  }
  const std::string finding =
      longest == nullptr ? "No stage takes time"
                         : fmt::format("{} of the time is {}", percent_text(longest->at("share")),
                                       longest->at("name").get<std::string>());
  chart.description = "Time by stage. " + finding;
  return {id + "stage-bars", finding, bar_chart(chart), data};
}

void add_advice(const Json& root, const std::string& id, Chapter& chapter) {
  const Json& advice = root.at("advice");
  if (advice.empty()) return;
  ReportTable table{{"change", "time, us", "speedup"}, {}};
  for (const Json& one : advice) {
    const double speedup = one.at("speedup");
    table.rows.push_back(
        {text_cell(one.at("change")), number_cell(one.at("time_us")), number_cell(speedup)});
  }
  chapter.sections.push_back({id + "advice",
                              "What would make it faster",
                              {Paragraph{"Each change was simulated alone."}, table}});
}

}  // namespace

void fill_explain(const Result& result, const std::string& id, Chapter& chapter) {
  const Json& root = result.summary;
  const std::string name = root.value("name", result.name);
  chapter.title = name;
  chapter.subtitle =
      fmt::format("kernel on {}: {}", root.value("gpu", ""), root.value("launch", ""));
  chapter.statement =
      fmt::format("{} takes {}, limited by {}.", name, time_text(root.at("time_us")),
                  root.at("limiter").get<std::string>());
  const Json& advice = root.at("advice");
  if (!advice.empty()) {
    chapter.statements.push_back(fmt::format("The change that helps most: {} ({} times as fast).",
                                             advice.front().at("change").get<std::string>(),
                                             rounded(advice.front().at("speedup"))));
  }
  chapter.sections.push_back({id + "stages", "Time by stage", {stages_figure(root, id)}});
  add_advice(root, id, chapter);
  ReportTable metrics{{"metric", "value"}, {}};
  for (const auto& [key, value] : root.at("metrics").items()) {
    metrics.rows.push_back({text_cell(key), value.is_number() ? number_cell(value)
                                            : value.is_null() ? text_cell("-")
                                                              : text_cell(value)});
  }
  chapter.sections.push_back({id + "metrics", "Metrics", {metrics}});
}

}  // namespace septet::command
