// Steps of a serving run over time, as the simulation recorded them.
#include <algorithm>

#include <fmt/format.h>

#include "core/trace/table_rows.hpp"
#include "models/records/serving_step_record.hpp"
#include "tools/septet/report/charts/charts.hpp"
#include "tools/septet/report/charts/figures.hpp"
#include "tools/septet/report/serving_sections.hpp"

namespace septet::command {
namespace {

using records::ServingStepRecord;

constexpr std::size_t kIntervals = 300;

std::vector<ServingStepRecord> steps_of(const Result& result) {
  if (!result.trace) return {};
  const trace::Hdf5Reader file(*result.trace);
  const std::vector<std::string> tables = file.tables();
  if (std::ranges::find(tables, "serving_steps") == tables.end()) return {};
  return trace::read_records<ServingStepRecord>(file);
}

// Of all replicas within an interval.
struct Interval {
  double kv_use = 0;     // most of a replica
  double sequences = 0;  // most of a step
  double waiting = 0;    // most in the queue of a replica
  double preempted = 0;  // sum
};

double seconds_at(Instant time) { return to_us(time - Instant(0)) / 1e6; }

std::vector<Interval> intervals_of(const std::vector<ServingStepRecord>& steps, double seconds) {
  std::vector<Interval> out(kIntervals);
  for (const ServingStepRecord& step : steps) {
    const auto place = static_cast<std::size_t>(seconds_at(step.planned) / seconds * kIntervals);
    Interval& interval = out[std::min(place, kIntervals - 1)];
    interval.kv_use = std::max(interval.kv_use, step.kv_use);
    interval.sequences = std::max(interval.sequences, static_cast<double>(step.sequences));
    interval.waiting = std::max(interval.waiting, static_cast<double>(step.waiting));
    interval.preempted += step.preempted;
  }
  return out;
}

struct Quantity {
  const char* key;
  const char* axis;
  double Interval::*member;
  double factor;
  const char* finding;  // of the largest value
};

constexpr Quantity kQuantities[] = {
    {"kv", "KV blocks in use, %", &Interval::kv_use, 100,
     "At most {} % of a replica's KV blocks are in use"},
    {"batch", "sequences in a step", &Interval::sequences, 1, "A step has at most {} sequences"},
    {"waiting", "sequences waiting at a replica", &Interval::waiting, 1,
     "At most {} sequences wait at a replica"},
    {"preempted", "preemptions", &Interval::preempted, 1,
     "At most {} sequences are preempted within an interval"}};

Figure figure_of(const Quantity& of, const std::vector<Interval>& intervals, double seconds,
                 const std::string& id) {
  Series series{of.axis, {}, false, true};
  std::vector<double> values;
  ReportTable data{{"time, s", of.axis}, {}, "", true};
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const double at = seconds * static_cast<double>(i) / kIntervals;
    values.push_back(of.factor * (intervals[i].*of.member));
    series.points.push_back({at, values.back()});
    if (i % 10 == 0) data.rows.push_back({number_cell(at), number_cell(values.back())});
  }
  LineChart chart;
  chart.series = {series};
  chart.x = axis_over("time, s", {seconds});
  chart.x.most = seconds;
  chart.y = axis_over(of.axis, values);
  const std::string finding =
      fmt::format(fmt::runtime(of.finding), rounded(std::ranges::max(values)));
  chart.description = std::string(of.axis) + " over time. " + finding;
  return {id + "steps-" + of.key, finding, line_chart(chart), data, ""};
}

}  // namespace

void add_steps_over_time(const Result& result, const std::string& id, Chapter& chapter) {
  const std::vector<ServingStepRecord> steps = steps_of(result);
  double seconds = 0;
  std::int64_t preempted = 0;
  for (const ServingStepRecord& step : steps) {
    seconds = std::max(seconds, seconds_at(step.planned));
    preempted += step.preempted;
  }
  if (seconds <= 0) return;
  const std::vector<Interval> intervals = intervals_of(steps, seconds);
  Section section{id + "steps", "Steps over time", {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "{} steps as they were planned, in {} intervals: the largest value of any replica, and all "
      "preemptions.",
      steps.size(), kIntervals)});
  for (const Quantity& of : kQuantities) {
    if (of.member == &Interval::preempted && preempted == 0) continue;
    section.blocks.push_back(figure_of(of, intervals, seconds, id));
  }
  chapter.sections.push_back(section);
}

}  // namespace septet::command
