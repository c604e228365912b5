#include "tools/septet/report/serving_sections.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "core/base/statistics.hpp"
#include "core/trace/table_rows.hpp"
#include "models/records/request_record.hpp"
#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;
using records::RequestRecord;

constexpr std::size_t kCurvePoints = 200;
constexpr std::size_t kTimePoints = 300;

std::vector<RequestRecord> requests_of(const Result& result) {
  if (!result.trace) return {};
  const trace::Hdf5Reader file(*result.trace);
  const std::vector<std::string> tables = file.tables();
  if (std::ranges::find(tables, "requests") == tables.end()) return {};
  return trace::read_records<RequestRecord>(file);
}

double ms(Instant from, Instant to) { return to_us(to - from) / 1000; }

struct Latencies {
  std::string name;
  std::vector<double> values{};  // ms, ascending
};

std::vector<Latencies> latencies_of(const std::vector<RequestRecord>& requests) {
  std::vector<Latencies> out = {{"time to first token"}, {"time per output token"}, {"end to end"}};
  for (const RequestRecord& one : requests) {
    if (one.fate != records::Fate::kCompleted) continue;
    out[0].values.push_back(ms(one.sent, one.first_token));
    out[2].values.push_back(ms(one.sent, one.finished));
    if (one.output_tokens < 2) continue;
    out[1].values.push_back(ms(one.first_token, one.finished) /
                            static_cast<double>(one.output_tokens - 1));
  }
  std::erase_if(out, [](const Latencies& one) { return one.values.empty(); });
  for (Latencies& one : out) std::ranges::sort(one.values);
  return out;
}

Series distribution(const Latencies& of) {
  Series out{of.name, {}, false};
  const std::size_t points = std::min(kCurvePoints, of.values.size() + 1);
  for (std::size_t i = 0; i < points; ++i) {
    const double percent = 100.0 * static_cast<double>(i) / static_cast<double>(points - 1);
    out.points.push_back({percentile(of.values, points > 1 ? percent : 100), percent});
  }
  return out;
}

Figure distributions(const std::vector<Latencies>& all, const std::string& id) {
  LineChart chart;
  std::vector<double> values;
  ReportTable data{{"share of requests, %"}, {}};
  for (const Latencies& one : all) {
    chart.series.push_back(distribution(one));
    values.push_back(std::max(one.values.front(), 1e-3));
    values.push_back(one.values.back());
    data.columns.push_back(one.name + ", ms");
  }
  for (const double percent : {1.0, 5.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.9}) {
    data.rows.push_back({number_cell(percent)});
    for (const Latencies& one : all) {
      data.rows.back().push_back(number_cell(percentile(one.values, percent)));
    }
  }
  chart.x = axis_over("latency, ms (logarithmic)", values, true);
  chart.y = {"share of requests within, %", 0, 100};
  const Latencies& first = all.front();
  const std::string finding =
      fmt::format("Half of the requests see their first token within {}, 99 of 100 within {}",
                  time_text(1000 * percentile(first.values, 50)),
                  time_text(1000 * percentile(first.values, 99)));
  chart.description = "Distribution of latencies. " + finding;
  return {id + "distribution", finding, line_chart(chart), data};
}

ReportTable latency_table(const Json& latencies) {
  ReportTable out{{"latency, ms", "mean", "p50", "p90", "p95", "p99", "max"}, {}};
  for (const auto& [name, values] : latencies.items()) {
    out.rows.push_back({text_cell(name == "queue" ? "queue" : objective_name(name))});
    for (const char* key : {"mean", "p50", "p90", "p95", "p99", "max"}) {
      out.rows.back().push_back(number_cell(values.at(key).get<double>()));
    }
  }
  return out;
}

// How many are between two moments, at each change.
Series count_over_time(const std::string& name, std::vector<std::pair<Instant, int>> changes,
                       double seconds) {
  std::ranges::sort(changes);
  Series out{name, {}, false, true};
  std::size_t next = 0;
  int count = 0;
  for (std::size_t i = 0; i <= kTimePoints; ++i) {
    const double at = seconds * static_cast<double>(i) / kTimePoints;
    int most = count;
    while (next < changes.size() && to_us(changes[next].first - Instant(0)) <= at * 1e6) {
      count += changes[next++].second;
      most = std::max(most, count);
    }
    out.points.push_back({at, static_cast<double>(most)});
  }
  return out;
}

struct Changes {
  std::vector<std::pair<Instant, int>> waiting;
  std::vector<std::pair<Instant, int>> running;
  Instant end{0};
};

Changes changes_of(const std::vector<RequestRecord>& requests) {
  Changes out;
  const auto add = [&](auto& list, Instant at, int change) {
    if (at == RequestRecord::kNever) return;
    list.emplace_back(at, change);
    out.end = std::max(out.end, at);
  };
  for (const RequestRecord& one : requests) {
    add(out.waiting, one.sent, 1);
    add(out.waiting, one.admitted, -1);
    add(out.running, one.admitted, 1);
    if (one.admitted != RequestRecord::kNever) add(out.running, one.finished, -1);
  }
  return out;
}

double most_of(const Series& series) {
  double out = 0;
  for (const Point& point : series.points) out = std::max(out, point.y);
  return out;
}

}  // namespace

std::string objective_name(const std::string& key) {
  if (key == "goodput_share") return "goodput";
  if (key == "output_tokens_per_s") return "output tokens/s";
  if (key == "requests_per_s") return "requests/s";
  std::string out = key;  // "ttft_p99"
  const std::size_t end = std::min(out.find('_'), out.size());
  for (std::size_t i = 0; i < end; ++i) {
    out[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[i])));
  }
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string objective_value(const Json& objective, const char* key) {
  const double value = objective.at(key).get<double>();
  const std::string unit = objective.value("unit", "");
  if (unit == "ms") return time_text(1000 * value);
  return unit == "1" ? percent_text(value) : rounded(value) + " " + unit;
}

void add_latencies(const Result& result, const Json& summary, const std::string& id,
                   Chapter& chapter) {
  Section section{id + "latency", "Latency", {}};
  const std::vector<Latencies> all = latencies_of(requests_of(result));
  if (!all.empty()) section.blocks.push_back(distributions(all, id));
  section.blocks.push_back(latency_table(summary.at("latency_ms")));
  section.blocks.push_back(Paragraph{
      "Of completed requests, as a client sees them. TTFT: from sending to the first token; TPOT: "
      "mean time of the later tokens; ITL: each gap between tokens; E2E: to the last token; queue: "
      "to the first step."});
  chapter.sections.push_back(section);
}

void add_load_over_time(const Result& result, const std::string& id, Chapter& chapter) {
  const Changes changes = changes_of(requests_of(result));
  const double seconds = to_us(changes.end - Instant(0)) / 1e6;
  if (seconds <= 0) return;
  LineChart chart;
  chart.series = {count_over_time("running", changes.running, seconds),
                  count_over_time("waiting", changes.waiting, seconds)};
  const double running = most_of(chart.series[0]);
  const double waiting = most_of(chart.series[1]);
  chart.x = axis_over("time, s", {seconds});
  chart.x.most = seconds;
  chart.y = axis_over("requests", {running, waiting});
  const std::string finding =
      fmt::format("At most {} requests ran at once, and {} waited for their first step",
                  rounded(running, 9), rounded(waiting, 9));
  chart.description = "Requests over time. " + finding;
  ReportTable data{{"time, s", "running", "waiting"}, {}, "", true};
  for (std::size_t i = 0; i < chart.series[0].points.size(); i += 10) {
    data.rows.push_back({number_cell(chart.series[0].points[i].x),
                         number_cell(chart.series[0].points[i].y),
                         number_cell(chart.series[1].points[i].y)});
  }
  chapter.sections.push_back(
      {id + "load",
       "Load over time",
       {Figure{id + "load-chart", finding, line_chart(chart), data,
               "Running: from the first step to the last token at the client; the maximum within "
               "each of 300 intervals."}}});
}

void add_cost_numbers(const FleetCost& cost, Chapter& chapter) {
  auto& numbers = chapter.key_numbers.numbers;
  const Json& price = cost.price;
  if (!price.is_null() && !cost.per_hour.is_null()) {
    const std::string currency = price.at("currency").get<std::string>();
    const std::string unit = currency.empty() ? "" : " " + currency;
    const std::string list = price.at("list").get<std::string>();
    std::string source = rounded(price.at("gpu_hour")) + " a GPU-hour";
    if (!list.empty()) source += fmt::format(", {}, {}", list, price.at("date").get<std::string>());
    numbers.push_back({"cost per hour", rounded(cost.per_hour) + unit, source});
    if (!cost.per_million_output_tokens.is_null()) {
      numbers.push_back(
          {"cost per million output tokens", rounded(cost.per_million_output_tokens) + unit, ""});
    }
  }
  if (cost.watts.is_null() || cost.watts == 0) return;
  const Json& joules = cost.joules_per_output_token;
  numbers.push_back({"average power of the GPUs", rounded(cost.watts) + " W",
                     joules.is_null() ? "" : rounded(joules) + " J per output token"});
}

void add_memory(const Json& summary, const std::string& id, Chapter& chapter) {
  const Json& memory = summary.at("memory");
  constexpr std::pair<const char*, const char*> kParts[] = {{"weights_bytes", "weights"},
                                                            {"kv_bytes", "KV cache"},
                                                            {"activations_bytes", "activations"},
                                                            {"graphs_bytes", "CUDA graphs"},
                                                            {"other_bytes", "other"}};
  constexpr double kGb = 1e9;
  BarChart chart{"GB", {}, {{"one GPU", {}, ""}}, ""};
  ReportTable data{{"part", "GB"}, {}};
  for (const auto& [key, name] : kParts) {
    const double size = memory.at(key).get<double>() / kGb;
    chart.series.emplace_back(name);
    chart.rows.front().parts.push_back(size);
    data.rows.push_back({text_cell(name), number_cell(size)});
  }
  const std::string total = rounded(memory.at("total_bytes").get<double>() / kGb);
  chart.rows.front().figure = "of " + total + " GB";
  const std::string finding =
      fmt::format("Each GPU has room for {} tokens of KV cache in {} blocks",
                  rounded(memory.at("kv_tokens"), 9), rounded(memory.at("kv_blocks"), 9));
  chart.description = "Memory of a GPU. " + finding;
  chapter.sections.push_back(
      {id + "memory", "Memory", {Figure{id + "memory-bar", finding, bar_chart(chart), data}}});
}

void add_utilization(const Json& summary, const std::string& id, Chapter& chapter) {
  const Json& replicas = summary.at("replicas");
  if (replicas.empty()) return;
  BarChart chart{"share of the time in steps, %", {"busy"}, {}, ""};
  ReportTable data{{"replica", "busy, %", "KV cache at most, %", "steps", "preemptions",
                    "running at most", "waiting at most"},
                   {}};
  double least = 100;
  double most = 0;
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    const Json& one = replicas[i];
    const double busy = 100 * one.at("gpu_busy_share").get<double>();
    least = std::min(least, busy);
    most = std::max(most, busy);
    chart.rows.push_back({fmt::format("replica {}", i), {busy}, rounded(busy) + " %"});
    data.rows.push_back({text_cell(fmt::format("replica {}", i)), number_cell(busy),
                         number_cell(100 * one.at("peak_kv_use").get<double>()),
                         number_cell(one.at("steps"), 9), number_cell(one.at("preemptions"), 9),
                         number_cell(one.at("peak_running"), 9),
                         number_cell(one.at("peak_waiting"), 9)});
  }
  const std::string finding =
      replicas.size() == 1
          ? fmt::format("The replica's GPUs are in steps for {} % of the time", rounded(most))
          : fmt::format("GPUs are in steps for {} to {} % of the time", rounded(least),
                        rounded(most));
  chart.description = "Share of time in steps by replica. " + finding;
  chapter.sections.push_back(
      {id + "utilization", "Utilization", {Figure{id + "busy", finding, bar_chart(chart), data}}});
}

}  // namespace septet::command
