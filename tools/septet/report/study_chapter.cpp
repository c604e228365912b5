// A run or replay of a program and its what-ifs: where the time goes.
#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/report/chapter.hpp"
#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/short_name.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongRun = 10'000;  // us, from where times are shown in ms

std::string words(std::string key) {
  std::ranges::replace(key, '_', ' ');
  if (key.starts_with("gpu ")) key.replace(0, 3, "GPU");
  return key;
}

std::string kind_of(const Json& limited_by) {
  const std::string kind = limited_by.at("kind");
  if (kind == "kernel") return "kernels";
  return kind == "copy" ? "copies" : kind;
}

std::string limit_of(const Json& limited_by) {
  std::string out = fmt::format("{} ({} of the critical path)", kind_of(limited_by),
                                percent_text(limited_by.at("share")));
  if (limited_by.contains("kernel") && !limited_by.at("kernel").is_null()) {
    out += ", most of all " + short_kernel_name(limited_by.at("kernel"));
  }
  return out;
}

void judge(const Result& result, Chapter& chapter) {
  const Json& root = result.summary;
  const Json& limit = root.at("summary").at("limited_by");
  chapter.statement = fmt::format("{} takes {}, limited by {}.",
                                  result.kind == ResultKind::kReplay ? "The recording" : "The run",
                                  time_text(root.at("simulated_us")), limit_of(limit));
  const Json* best = nullptr;
  for (const Json& one : root.at("what_ifs")) {
    if (one.contains("failure") || !one.contains("speedup")) continue;
    if (best == nullptr || one.at("speedup") > best->at("speedup")) best = &one;
  }
  if (best != nullptr) {
    chapter.statements.push_back(
        fmt::format("The best of {} what-ifs is \"{}\": {}, {} times as fast.",
                    root.at("what_ifs").size(), best->at("name").get<std::string>(),
                    time_text(best->at("simulated_us")), rounded(best->at("speedup"))));
  }
  if (result.kind == ResultKind::kReplay) {
    const Json& base = root.at("baseline");
    chapter.statements.push_back(fmt::format(
        "Replayed without a change it takes {}, the recording {} ({} %); kernels start {} from "
        "where they were recorded (median).",
        time_text(base.at("simulated_us")), time_text(base.at("measured_us")),
        rounded(base.at("error_pct"), 2), time_text(base.at("start_error_us").at("median"))));
  }
}

void add_key_numbers(const Json& root, Chapter& chapter) {
  auto& numbers = chapter.key_numbers.numbers;
  numbers.push_back({"time", time_text(root.at("simulated_us")), "simulated"});
  const Json& summary = root.at("summary");
  numbers.push_back({"kernels and copies", rounded(summary.at("gpu_commands"), 9), ""});
  for (const char* key : {"gpu_busy", "compute"}) {
    const auto share = summary.at("attribution").find(key);
    if (share == summary.at("attribution").end()) continue;
    numbers.push_back({"GPU computes", percent_text(share->at("share")), "of the time"});
  }
  if (summary.contains("training")) {
    const Json& training = summary.at("training");
    numbers.push_back({"MFU", percent_text(training.at("mfu")), "model FLOPs of the peak"});
    numbers.push_back({"tokens per second", rounded(training.at("tokens_per_s")), ""});
  }
  if (summary.contains("ranks")) {
    numbers.push_back({"GPUs", rounded(summary.at("ranks").at("gpus"), 9), ""});
  }
}

// The categories that take any time in one of the rows.
std::vector<std::string> categories_of(const std::vector<const Json*>& attributions) {
  std::vector<std::string> out;
  for (const Json* one : attributions) {
    for (const auto& [key, value] : one->items()) {
      if (value.at("time_us").get<double>() <= 0) continue;
      if (std::ranges::find(out, key) == out.end()) out.push_back(key);
    }
  }
  return out;
}

Figure attribution_figure(const Json& root, const std::string& id) {
  std::vector<const Json*> attributions = {&root.at("summary").at("attribution")};
  std::vector<std::string> names = {"(unchanged)"};
  std::vector<double> speedups = {1};
  for (const Json& one : root.at("what_ifs")) {
    if (!one.contains("attribution")) continue;
    attributions.push_back(&one.at("attribution"));
    names.push_back(one.at("name"));
    speedups.push_back(one.at("speedup"));
  }
  const std::vector<std::string> keys = categories_of(attributions);
  const bool long_run = root.at("simulated_us") > kLongRun;
  const double unit = long_run ? 1000 : 1;
  BarChart chart{long_run ? "time, ms" : "time, us", {}, {}, ""};
  ReportTable data{{"run"}, {}};
  for (const std::string& key : keys) {
    chart.series.push_back(words(key));
    data.columns.push_back(words(key) + ", us");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    BarRow row{names[i], {}, ""};
    double total = 0;
    data.rows.push_back({text_cell(names[i])});
    for (const std::string& key : keys) {
      const auto part = attributions[i]->find(key);
      const double us = part == attributions[i]->end() ? 0 : part->at("time_us").get<double>();
      row.parts.push_back(us / unit);
      total += us;
      data.rows.back().push_back(number_cell(us));
    }
    row.figure = names.size() > 1 ? fmt::format("{}, {}x", time_text(total), rounded(speedups[i]))
                                  : time_text(total);
    chart.rows.push_back(std::move(row));
  }
  const auto largest = std::ranges::max_element(keys, {}, [&](const std::string& key) {
    const auto part = attributions.front()->find(key);
    return part == attributions.front()->end() ? 0 : part->at("time_us").get<double>();
  });
  const std::string finding =
      fmt::format("{} of the time is {}",
                  percent_text(attributions.front()->at(*largest).at("share")), words(*largest));
  chart.description = "Where the time goes. " + finding;
  return {id + "attribution", finding, bar_chart(chart), data};
}

ReportTable what_if_table(const Json& root) {
  ReportTable out{{"what-if", "time, us", "speedup", "limited by", "notes"}, {}};
  for (const Json& one : root.at("what_ifs")) {
    if (!one.contains("limited_by")) continue;
    std::string notes;
    for (const Json& note : one.at("notes")) {
      notes += (notes.empty() ? "" : "; ") + note.get<std::string>();
    }
    out.rows.push_back({text_cell(one.at("name")), number_cell(one.at("simulated_us"), 6),
                        number_cell(one.at("speedup")), text_cell(limit_of(one.at("limited_by"))),
                        text_cell(notes)});
  }
  return out;
}

void add_kernels(const Json& summary, const std::string& id, Chapter& chapter) {
  const Json& kernels = summary.at("kernels");
  if (kernels.empty()) return;
  BarChart chart{"time, us", {"time"}, {}, ""};
  ReportTable data{{"kernel", "times", "total, us", "share of kernel time, %"}, {}};
  for (const Json& one : kernels) {
    const std::string name = one.at("name");
    const double us = one.at("time_us");
    const double share = one.at("share");
    chart.rows.push_back(
        {short_kernel_name(name),
         {us},
         percent_text(share),
         fmt::format("{}\n{} times, {}", name, one.at("count").get<int>(), time_text(us))});
    data.rows.push_back({text_cell(name), number_cell(one.at("count"), 9), number_cell(us, 6),
                         number_cell(100 * share)});
  }
  const std::string finding = fmt::format("{} takes {} of all kernel time", chart.rows.front().name,
                                          percent_text(kernels.front().at("share")));
  chart.description = "Kernels by time. " + finding;
  chapter.sections.push_back(
      {id + "kernels", "Kernels", {Figure{id + "kernel-bars", finding, bar_chart(chart), data}}});
}

void add_path(const Json& summary, const std::string& id, Section& section) {
  BarChart chart{"share of the critical path, %", {"share"}, {}, ""};
  ReportTable data{{"kind", "us", "share, %"}, {}};
  for (const auto& [kind, value] : summary.at("critical_path").items()) {
    const double share = 100 * value.at("share").get<double>();
    if (share <= 0) continue;
    chart.rows.push_back({kind, {share}, rounded(share) + " %"});
    data.rows.push_back({text_cell(kind), number_cell(value.at("time_us"), 6), number_cell(share)});
  }
  if (chart.rows.empty()) return;
  std::ranges::stable_sort(chart.rows, std::ranges::greater{},
                           [](const BarRow& row) { return row.parts.front(); });
  const std::string finding = fmt::format("{} of the critical path is {}",
                                          chart.rows.front().figure, chart.rows.front().name);
  chart.description = "Critical path by kind. " + finding;
  section.blocks.push_back(Figure{id + "path", finding, bar_chart(chart), data});
}

void add_links(const Json& summary, const std::string& id, Chapter& chapter) {
  const auto links = summary.find("links");
  if (links == summary.end() || links->empty()) return;
  BarChart chart{"mean utilization over the run, %", {"mean"}, {}, ""};
  ReportTable data{{"links", "count", "bytes on each", "mean, %", "peak, %"}, {}};
  for (const Json& one : *links) {
    const double mean = 100 * one.at("mean_utilization").get<double>();
    const double peak = 100 * one.at("peak_utilization").get<double>();
    chart.rows.push_back({one.at("name"), {mean}, fmt::format("peak {} %", rounded(peak))});
    data.rows.push_back({text_cell(one.at("name")), number_cell(one.at("links"), 9),
                         number_cell(one.at("bytes")), number_cell(mean), number_cell(peak)});
  }
  const std::string finding = fmt::format("The busiest link is used {} % of the time on average",
                                          rounded(chart.rows.front().parts.front()));
  chart.description = "Utilization of links. " + finding;
  chapter.sections.push_back(
      {id + "links", "Network links", {Figure{id + "link-bars", finding, bar_chart(chart), data}}});
}

}  // namespace

void fill_study(const Result& result, const std::string& id, Chapter& chapter) {
  const Json& root = result.summary;
  const Json& summary = root.at("summary");
  judge(result, chapter);
  add_key_numbers(root, chapter);
  Section time{id + "time", "Where the time goes", {attribution_figure(root, id)}};
  add_path(summary, id, time);
  chapter.sections.push_back(time);
  if (!root.at("what_ifs").empty()) {
    chapter.sections.push_back({id + "what-ifs", "What-ifs side by side", {what_if_table(root)}});
  }
  add_kernels(summary, id, chapter);
  add_links(summary, id, chapter);
}

}  // namespace septet::command
