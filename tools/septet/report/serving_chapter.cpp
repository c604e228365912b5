// A serving run and its what-ifs.
#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/report/chapter.hpp"
#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/report/serving_sections.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

ReportTable objectives_table(const Json& objectives) {
  ReportTable out{{"objective", "wanted", "got", "met"}, {}};
  for (const Json& one : objectives) {
    out.rows.push_back({text_cell(objective_name(one.at("objective"))),
                        text_cell(objective_value(one, "wanted")),
                        text_cell(objective_value(one, "got")),
                        text_cell(one.at("met").get<bool>() ? "yes" : "no")});
  }
  return out;
}

void judge(const Json& summary, Chapter& chapter) {
  const Json& objectives = summary.at("objectives");
  const auto missed =
      std::ranges::count_if(objectives, [](const Json& one) { return !one.at("met").get<bool>(); });
  const bool overloaded = summary.at("overloaded").get<bool>();
  const double rate = summary.at("throughput").at("completed_requests_per_s").get<double>();
  const std::string served = fmt::format("{} replicas complete {} requests per second",
                                         summary.at("replicas").size(), rounded(rate));
  chapter.verdict = overloaded || missed > 0 ? Verdict::kBad
                    : objectives.empty()     ? Verdict::kNeutral
                                             : Verdict::kGood;
  if (overloaded) {
    chapter.statement =
        "Overloaded: the queue grows as long as requests arrive, so latencies depend "
        "on how long the run is.";
  } else if (objectives.empty()) {
    chapter.statement = served + ".";
  } else if (missed > 0) {
    chapter.statement =
        fmt::format("{}, but miss {} of {} objectives.", served, missed, objectives.size());
  } else {
    chapter.statement =
        fmt::format("{} and meet {} objectives.", served, objectives.size() == 1 ? "their" : "all");
  }
  for (const Json& finding : summary.at("findings")) {
    chapter.statements.push_back("Finding: " + finding.get<std::string>());
  }
}

void add_key_numbers(const Json& summary, Chapter& chapter) {
  const Json& requests = summary.at("requests");
  const Json& throughput = summary.at("throughput");
  const Json& cost = summary.at("cost");
  auto& numbers = chapter.key_numbers.numbers;
  numbers.push_back({"requests completed", rounded(requests.at("completed"), 9),
                     "of " + rounded(requests.at("offered"), 9) + " offered"});
  numbers.push_back(
      {"output tokens per second", rounded(throughput.at("output_tokens_per_s")), ""});
  numbers.push_back({"TTFT p99",
                     time_text(1000 * summary.at("latency_ms").at("ttft").at("p99").get<double>()),
                     ""});
  numbers.push_back({"TPOT p99",
                     time_text(1000 * summary.at("latency_ms").at("tpot").at("p99").get<double>()),
                     ""});
  numbers.push_back({"GPU-hours", rounded(cost.at("gpu_hours")), ""});
  const Json energy = summary.value("energy", Json::object());
  add_cost_numbers(
      {cost.value("per_hour", Json()), cost.at("per_million_output_tokens"),
       energy.value("average_w", Json()), energy.value("joules_per_output_token", Json()),
       cost.value("gpu_price", Json())},
      chapter);
}

BarRow side_row(const std::string& name, const Json& summary, const char* latency) {
  const double value = summary.at("latency_ms").at(latency).at("p99").get<double>();
  return {name + (summary.at("overloaded").get<bool>() ? " (overloaded)" : ""),
          {value},
          time_text(1000 * value)};
}

void add_side_row(const std::string& name, const Json& summary, ReportTable& table) {
  const Json& latency = summary.at("latency_ms");
  const Json& throughput = summary.at("throughput");
  table.rows.push_back(
      {text_cell(name + (summary.at("overloaded").get<bool>() ? " (overloaded)" : "")),
       number_cell(throughput.at("completed_requests_per_s")),
       number_cell(throughput.at("output_tokens_per_s")), number_cell(latency.at("ttft").at("p50")),
       number_cell(latency.at("ttft").at("p99")), number_cell(latency.at("tpot").at("p50")),
       number_cell(latency.at("tpot").at("p99")), number_cell(summary.at("cost").at("gpu_hours"))});
}

// Output tokens of a GPU in a second: what they cost is its inverse.
double tokens_per_gpu_second(const Json& summary) {
  constexpr double kHour = 3600;
  const double gpu_seconds = summary.at("cost").at("gpu_hours").get<double>() * kHour;
  const double tokens = summary.at("load").at("completed").at("output_tokens");
  return gpu_seconds > 0 ? tokens / gpu_seconds : 0;
}

Point pareto_point(const std::string& name, const Json& summary) {
  const double tokens = tokens_per_gpu_second(summary);
  const double ms = summary.at("latency_ms").at("tpot").at("p99");
  return {tokens, ms, 0,
          fmt::format("{}\n{} output tokens per GPU and second\nTPOT p99 {}", name, rounded(tokens),
                      time_text(1000 * ms)),
          !summary.at("overloaded").get<bool>()};
}

// Who can have more of one only for less of the other.
Figure pareto_figure(const Json& root, const std::string& id) {
  LineChart chart;
  chart.series.push_back({"(unchanged)", {pareto_point("(unchanged)", root.at("summary"))}});
  for (const Json& one : root.at("what_ifs")) {
    chart.series.push_back({one.at("name"), {pareto_point(one.at("name"), one.at("summary"))}});
  }
  std::vector<double> x;
  std::vector<double> y;
  ReportTable data{{"run", "output tokens per GPU and second", "TPOT p99, ms"}, {}};
  for (const Series& series : chart.series) {
    const Point& point = series.points.front();
    x.push_back(point.x);
    y.push_back(point.y);
    data.rows.push_back({text_cell(series.name), number_cell(point.x), number_cell(point.y)});
  }
  const std::size_t most = static_cast<std::size_t>(std::ranges::max_element(x) - x.begin());
  chart.x = axis_over("output tokens per GPU and second", x);
  chart.y = axis_over("TPOT p99, ms", y);
  const std::string finding =
      fmt::format("\"{}\" makes the most of each GPU: {} output tokens a second",
                  chart.series[most].name, rounded(x[most]));
  chart.description = "Throughput of a GPU against latency. " + finding;
  return {id + "pareto", finding, scatter_chart(chart), data,
          "To the right is cheaper, further down is quicker. Hollow: overloaded."};
}

void add_what_ifs(const Json& root, const std::string& id, Chapter& chapter) {
  const Json& what_ifs = root.at("what_ifs");
  if (what_ifs.empty()) return;
  ReportTable table{{"run", "requests/s", "output tokens/s", "TTFT p50, ms", "TTFT p99, ms",
                     "TPOT p50, ms", "TPOT p99, ms", "GPU-hours"},
                    {}};
  BarChart ttft{"TTFT p99, ms", {"TTFT p99"}, {}, ""};
  add_side_row("(unchanged)", root.at("summary"), table);
  ttft.rows.push_back(side_row("(unchanged)", root.at("summary"), "ttft"));
  for (const Json& one : what_ifs) {
    add_side_row(one.at("name"), one.at("summary"), table);
    ttft.rows.push_back(side_row(one.at("name"), one.at("summary"), "ttft"));
  }
  const auto [best, worst] =
      std::ranges::minmax(ttft.rows, {}, [](const BarRow& row) { return row.parts.front(); });
  const std::string finding = fmt::format("TTFT p99 ranges from {} ({}) to {} ({})", best.figure,
                                          best.name, worst.figure, worst.name);
  ttft.description = "TTFT p99 of the run and its what-ifs. " + finding;
  chapter.sections.push_back({id + "what-ifs",
                              "What-ifs side by side",
                              {table, Figure{id + "what-if-ttft", finding, bar_chart(ttft), {}},
                               pareto_figure(root, id)}});
}

}  // namespace

void fill_serving(const Result& result, const std::string& id, Chapter& chapter) {
  const Json& summary = result.summary.at("summary");
  judge(summary, chapter);
  add_key_numbers(summary, chapter);
  if (!summary.at("objectives").empty()) {
    chapter.sections.push_back(
        {id + "objectives", "Objectives", {objectives_table(summary.at("objectives"))}});
  }
  add_latencies(result, summary, id, chapter);
  add_load_over_time(result, id, chapter);
  add_steps_over_time(result, id, chapter);
  add_utilization(summary, id, chapter);
  add_memory(summary, id, chapter);
  add_what_ifs(result.summary, id, chapter);
}

}  // namespace septet::command
