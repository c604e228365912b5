#include "tools/septet/report/capacity_charts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/report/serving_sections.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

// The rate of a point, or its factor where the rate isn't known.
double rate_of(const Json& root, const Json& point) {
  const double rate = root.value("offered_requests_per_s", 0.0);
  return point.at("rate_factor").get<double>() * (rate > 0 ? rate : 1);
}

std::string rate_label(const Json& root) {
  return root.value("offered_requests_per_s", 0.0) > 0 ? "offered requests per second"
                                                       : "rate, as a multiple of the scenario's";
}

// Where the fleet stops holding, between two points of the curve.
double knee_of(const Json& root) {
  const double rate = root.value("offered_requests_per_s", 0.0);
  return root.at("headroom").get<double>() * (rate > 0 ? rate : 1);
}

std::string point_text(const Json& root, const Json& point) {
  std::string out = rounded(rate_of(root, point)) + " " + rate_label(root);
  for (const Json& objective : point.at("objectives")) {
    out +=
        "\n" + objective_name(objective.at("objective")) + " " + objective_value(objective, "got");
  }
  return out + (point.at("holds").get<bool>() ? "\nholds" : "\nmisses an objective");
}

Figure attainment(const Json& root, const std::string& id) {
  LineChart chart;
  Series share{"requests within all latency limits", {}};
  std::vector<double> rates;
  for (const Json& point : root.at("curve")) {
    const double rate = rate_of(root, point);
    const double attained = point.at("goodput_share");
    rates.push_back(rate);
    share.points.push_back({rate, 100 * attained, 0, point_text(root, point), point.at("holds")});
  }
  chart.series = {share};
  chart.x = axis_over(rate_label(root), rates);
  chart.y = {"requests within all latency limits, %", 0, 100};
  chart.vertical = {{rate_of(root, {{"rate_factor", 1}}), "asked for"},
                    {knee_of(root), "knee " + rounded(knee_of(root))}};
  const std::string finding =
      fmt::format("Objectives hold up to {} {}: {} above what is asked for", rounded(knee_of(root)),
                  rate_label(root), percent_text(root.at("headroom").get<double>() - 1));
  chart.description = "Share of good requests against rate. " + finding;
  return {id + "attainment",
          finding,
          line_chart(chart),
          {},
          "Full dots: every objective holds with every seed; hollow: one is missed. The share is "
          "the least of all seeds."};
}

Figure goodput(const Json& root, const std::string& id) {
  LineChart chart;
  Series offered{"offered", {}, false};
  Series good{"good (goodput)", {}};
  std::vector<double> rates;
  double most = 0;
  for (const Json& point : root.at("curve")) {
    const double rate = rate_of(root, point);
    const double value = rate * point.at("goodput_share").get<double>();
    rates.push_back(rate);
    most = std::max(most, value);
    offered.points.push_back({rate, rate});
    good.points.push_back({rate, value, 0, point_text(root, point), point.at("holds")});
  }
  chart.series = {good, offered};
  chart.x = axis_over(rate_label(root), rates);
  chart.y = axis_over("good requests per second", rates);
  chart.vertical = {{knee_of(root), "knee " + rounded(knee_of(root))}};
  const std::string finding = fmt::format("Goodput reaches {} requests per second", rounded(most));
  chart.description = "Goodput against rate. " + finding;
  return {id + "goodput", finding, line_chart(chart), {}};
}

Figure objective_curve(const Json& root, const std::string& id, std::size_t number) {
  LineChart chart;
  Series series{"", {}};
  std::vector<double> rates;
  std::vector<double> values;
  const Json& first = root.at("curve").front().at("objectives").at(number);
  const double wanted = first.at("wanted");
  for (const Json& point : root.at("curve")) {
    const Json& objective = point.at("objectives").at(number);
    const double rate = rate_of(root, point);
    rates.push_back(rate);
    values.push_back(objective.at("got"));
    // The worst of all seeds, so the interval of the mean is left to the table.
    series.points.push_back({rate, values.back(), 0, point_text(root, point), point.at("holds")});
  }
  std::vector<double> shown = values;
  shown.push_back(wanted);
  const bool wide = std::ranges::max(shown) > 20 * std::ranges::min(shown);
  const std::string name = objective_name(first.at("objective"));
  chart.series = {series};
  chart.x = axis_over(rate_label(root), rates);
  chart.y = axis_over(
      fmt::format("{}, {}{}", name, first.value("unit", ""), wide ? " (logarithmic)" : ""), shown,
      wide);
  chart.vertical = {{knee_of(root), "knee " + rounded(knee_of(root))}};
  chart.horizontal = {{wanted, "limit " + objective_value(first, "wanted")}};
  const std::string finding =
      fmt::format("{} goes from {} to {} over the rates", name,
                  objective_value(root.at("curve").front().at("objectives").at(number), "got"),
                  objective_value(root.at("curve").back().at("objectives").at(number), "got"));
  chart.description = name + " against rate. " + finding;
  return {
      id + fmt::format("objective-{}", number),
      finding,
      line_chart(chart),
      {},
      "Worst of all seeds. Beyond the knee the queue grows with the run: such latencies have no "
      "meaning beyond \"missed\"."};
}

ReportTable curve_table(const Json& root) {
  ReportTable out{{rate_label(root), "verdict", "good requests, %", "output tokens/s", "busy, %"},
                  {},
                  "The curve"};
  for (const Json& objective : root.at("curve").front().at("objectives")) {
    out.columns.push_back(fmt::format("{}, {}", objective_name(objective.at("objective")),
                                      objective.value("unit", "")));
  }
  for (const Json& point : root.at("curve")) {
    const bool overloaded = point.at("overloaded");
    out.rows.push_back({number_cell(rate_of(root, point)),
                        text_cell(point.at("holds").get<bool>() ? "holds"
                                  : overloaded                  ? "overloaded"
                                                                : "misses"),
                        number_cell(100 * point.at("goodput_share").get<double>()),
                        number_cell(point.at("output_tokens_per_s")),
                        number_cell(100 * point.at("gpu_busy_share").get<double>())});
    for (const Json& objective : point.at("objectives")) {
      out.rows.back().push_back(number_cell(objective.at("got")));
    }
  }
  return out;
}

}  // namespace

void add_curve(const Json& root, const std::string& id, Chapter& chapter) {
  const Json& curve = root.at("curve");
  if (curve.size() < 2) return;
  Section section{id + "curve", "Attainment and goodput against rate", {}};
  section.blocks.push_back(attainment(root, id));
  section.blocks.push_back(goodput(root, id));
  for (std::size_t i = 0; i < curve.front().at("objectives").size(); ++i) {
    section.blocks.push_back(objective_curve(root, id, i));
  }
  section.blocks.push_back(curve_table(root));
  chapter.sections.push_back(section);
}

void add_sensitivity(const Json& root, const std::string& id, Chapter& chapter) {
  const auto rows = root.find("sensitivity");
  if (rows == root.end() || rows->empty()) return;
  TornadoChart chart{"worst objective, % of its limit",
                     100 * root.at("best").at("worst_share").get<double>(),
                     {},
                     "",
                     100};
  ReportTable data{{"assumption", "lower by, %", "worst objective, % of its limit", "higher by, %",
                    "worst objective, % of its limit"},
                   {}};
  for (const Json& row : *rows) {
    const double low = 100 * row.at("low").at("worst_share").get<double>();
    const double high = 100 * row.at("high").at("worst_share").get<double>();
    const double down = 100 * (1 - row.at("low").at("factor").get<double>());
    const double up = 100 * (row.at("high").at("factor").get<double>() - 1);
    chart.rows.push_back({row.at("assumption"), fmt::format("-{} %", rounded(down)),
                          fmt::format("+{} %", rounded(up)), low, high});
    data.rows.push_back({text_cell(row.at("assumption")), number_cell(down), number_cell(low),
                         number_cell(up), number_cell(high)});
  }
  const auto width = [](const TornadoRow& row) { return std::abs(*row.high - *row.low); };
  std::ranges::stable_sort(chart.rows, std::ranges::greater{}, width);
  const std::string finding =
      fmt::format("The answer depends most on the {}", chart.rows.front().name);
  chart.description = "The worst objective under other assumptions. " + finding;
  chapter.sections.push_back(
      {id + "sensitivity",
       "Sensitivity",
       {Figure{id + "tornado", finding, tornado_chart(chart), data,
               "The best fleet with one assumption changed at a time, all by the same share. Above "
               "100 % of the limit an objective is missed."}}});
}

Figure pareto_figure(const Json& candidates, const std::string& id) {
  LineChart chart;
  Series holds{"holds", {}};
  Series misses{"misses an objective", {}};
  std::vector<double> gpus;
  std::vector<double> shares;
  for (const Json& one : candidates) {
    const double count = one.at("gpus");
    const double share = one.at("worst_share");
    const bool good = one.at("holds");
    gpus.push_back(count);
    shares.push_back(share);
    (good ? holds : misses)
        .points.push_back(
            {count, share, 0,
             fmt::format("{} {}, tensor parallel {}, {}\nworst objective at {} of its limit", count,
                         one.at("gpu").get<std::string>(),
                         one.at("tensor_parallel_size").get<int>(),
                         one.at("engine").get<std::string>(), percent_text(share)),
             good});
  }
  chart.series = {holds, misses};
  const bool wide = std::ranges::max(shares) > 20 * std::max(1e-3, std::ranges::min(shares));
  shares.push_back(1);
  chart.x = axis_over("GPUs", gpus);
  chart.y =
      axis_over(fmt::format("worst objective, share of its limit{}", wide ? " (logarithmic)" : ""),
                shares, wide);
  chart.horizontal = {{1, "limit"}};
  const std::string finding =
      fmt::format("{} of {} simulated fleets hold; fewer GPUs and a lower value are better",
                  holds.points.size(), candidates.size());
  chart.description = "Simulated fleets by GPUs and worst objective. " + finding;
  return {id + "pareto", finding, scatter_chart(chart), {}};
}

}  // namespace septet::command
