#include <algorithm>

#include <fmt/format.h>

#include "tools/septet/serving/serving_report.hpp"
#include "tools/septet/table_printer.hpp"

namespace septet::command {
namespace {

double ms(Duration time) { return to_us(time) / 1000; }
double gib(Bytes bytes) { return static_cast<double>(bytes.count()) / (1 << 30); }

std::string latencies_text(const fleet::FleetMetrics& metrics, std::size_t columns) {
  TablePrinter table({{"latency, ms"},
                      {"mean", Align::kRight},
                      {"p50", Align::kRight},
                      {"p90", Align::kRight},
                      {"p95", Align::kRight},
                      {"p99", Align::kRight},
                      {"max", Align::kRight}});
  for (const fleet::Latency latency : values_of<fleet::Latency>()) {
    const fleet::Distribution& values = metrics.of(latency);
    std::vector<std::string> row = {std::string(text_of(latency)),
                                    fmt::format("{:.2f}", ms(values.mean()))};
    for (const double percent : {50.0, 90.0, 95.0, 99.0, 100.0}) {
      row.push_back(fmt::format("{:.2f}", ms(values.at(percent))));
    }
    table.add_row(row);
  }
  return table.text(columns);
}

std::string load_text(const fleet::FleetMetrics& metrics) {
  const double seconds = to_seconds(metrics.arrivals);
  std::string offered = fmt::format("{} requests offered", metrics.offered.requests);
  if (seconds > 0) {
    offered += fmt::format(" ({:.2f}/s)", static_cast<double>(metrics.offered.requests) / seconds);
  }
  return fmt::format(
      "{}, {} admitted, {} completed ({:.2f}/s), {} refused, {} unfinished\n"
      "{:.0f} input and {:.0f} output tokens per second over {:.1f} s\n",
      offered, metrics.admitted.requests, metrics.completed.requests,
      metrics.per_second(metrics.completed.requests), metrics.refused, metrics.unfinished,
      metrics.per_second(metrics.completed.input_tokens),
      metrics.per_second(metrics.completed.output_tokens), to_seconds(metrics.span));
}

std::string replicas_text(const fleet::FleetResult& result) {
  std::uint64_t steps = 0;
  std::uint64_t preemptions = 0;
  double busy = 0;
  double provided = 0;
  double peak = 0;
  for (const fleet::ReplicaTotals& replica : result.replicas) {
    steps += replica.steps;
    preemptions += replica.preemptions;
    busy += to_seconds(replica.gpu);
    provided += to_seconds(replica.provided);
    peak = std::max(peak, replica.peak_cache_use);
  }
  return fmt::format(
      "{} replicas, {:.1f} replica-seconds: GPUs in steps {:.1f} %, {} steps, {} preemptions, KV "
      "blocks at most {:.1f} % used\n",
      result.replicas.size(), provided, provided > 0 ? 100 * busy / provided : 0, steps,
      preemptions, 100 * peak);
}

std::string price_text(const ServingReport& report) {
  const serving::ServingCost& cost = report.run.cost;
  std::string out = fmt::format("{:.2f}{}", *cost.price, priced_text(report.of.gpu_cost));
  if (cost.per_hour) out += fmt::format("; {:.2f} an hour", *cost.per_hour);
  if (cost.per_million_output_tokens) {
    out += fmt::format("; {:.3f} per million output tokens", *cost.per_million_output_tokens);
  }
  return out;
}

std::string cost_text(const ServingReport& report) {
  const serving::ServingCost& cost = report.run.cost;
  std::string out = fmt::format("{:.2f} GPU-hours", cost.gpu_hours);
  if (cost.price) out += ", " + price_text(report);
  out += fmt::format("\nGPUs draw {:.0f} W on average", cost.power.count());
  if (cost.joules_per_output_token) {
    out += fmt::format(": {:.2f} J per output token", *cost.joules_per_output_token);
  }
  return out + "\n";
}

std::string objectives_text(const serving::ServingRun& run) {
  std::string out;
  for (const serving::ObjectiveResult& result : run.objectives) {
    out += fmt::format("{} {}\n", result.met ? "met:   " : "missed:", objective_text(result));
  }
  if (run.objectives.empty()) return out;
  return out + fmt::format("{} requests met all latency limits ({:.2f}/s)\n", run.good,
                           run.metrics.per_second(run.good));
}

std::string side_by_side(const std::vector<ServingReport>& reports, std::size_t columns) {
  TablePrinter table({{"run", Align::kLeft, true},
                      {"completed", Align::kRight},
                      {"requests/s", Align::kRight},
                      {"tokens/s", Align::kRight},
                      {"ttft p50", Align::kRight},
                      {"p99", Align::kRight},
                      {"tpot p50", Align::kRight},
                      {"p99, ms", Align::kRight}});
  for (const ServingReport& report : reports) {
    const fleet::FleetMetrics& metrics = report.run.metrics;
    const auto at = [&](fleet::Latency latency, double percent) {
      return fmt::format("{:.1f}", ms(metrics.of(latency).at(percent)));
    };
    table.add_row({report.name + (metrics.overloaded ? " (overloaded)" : ""),
                   std::to_string(metrics.completed.requests),
                   fmt::format("{:.2f}", metrics.per_second(metrics.completed.requests)),
                   fmt::format("{:.0f}", metrics.per_second(metrics.completed.output_tokens)),
                   at(fleet::Latency::kTtft, 50), at(fleet::Latency::kTtft, 99),
                   at(fleet::Latency::kTpot, 50), at(fleet::Latency::kTpot, 99)});
  }
  return table.text(columns);
}

}  // namespace

double shown_factor(serving::ObjectiveUnit unit) {
  return unit == serving::ObjectiveUnit::kSeconds ? 1000 : 1;
}

std::string shown_unit(serving::ObjectiveUnit unit) {
  return unit == serving::ObjectiveUnit::kSeconds ? "ms" : std::string(text_of(unit));
}

std::string priced_text(const serving::GpuCost& gpu, const std::string& per) {
  std::string out =
      fmt::format("{}{} at {:.2f} a GPU-hour", gpu.currency.empty() ? "" : " " + gpu.currency, per,
                  gpu.price->gpu_hour);
  if (!gpu.list.empty()) out += fmt::format(" ({}, {})", gpu.list, gpu.price->date);
  return out;
}

std::string objective_text(const serving::ObjectiveResult& result) {
  if (result.unit == serving::ObjectiveUnit::kSeconds) {
    return fmt::format("{} {:.1f} ms (at most {:.1f} ms)", result.key, 1000 * result.got,
                       1000 * result.wanted);
  }
  return fmt::format("{} {:.4g} (at {} {:.4g})", result.key, result.got,
                     result.at_most ? "most" : "least", result.wanted);
}

std::string memory_text(const serving::ServingCase& of) {
  const llm::MemoryBudget& memory = of.memory;
  return fmt::format("memory of a GPU: {}; {:.1f} GiB left: {} KV blocks, {} tokens\n",
                     llm::sum_text(memory), gib(memory.kv), memory.kv_blocks, memory.kv_tokens);
}

std::string prefill_text(const ServingReport& report) {
  const serving::ServingCase& of = report.of;
  if (!of.prefill) return "";
  const fleet::FleetMetrics& metrics = report.run.metrics;
  return fmt::format(
      "prompts on {} replicas of {} GPUs of {}; hand-over {:.2f} ms on average, {:.2f} ms at p99, "
      "transfer of keys and values {:.2f} ms\n",
      of.fleet.disaggregation->prefill_replicas, of.prefill->gpus_of_replica(),
      of.prefill->hardware.gpu.name, ms(metrics.hand_over.mean()), ms(metrics.hand_over.at(99)),
      ms(metrics.transfer.mean()));
}

std::string serving_text(const std::vector<ServingReport>& reports, std::size_t columns) {
  const ServingReport& first = reports.front();
  std::string out = fmt::format("{}: {} GPUs of {} per replica, digest {:016x}\n", first.name,
                                first.of.gpus_of_replica(), first.of.hardware.gpu.name,
                                first.run.result.engine.digest);
  out += prefill_text(first) + memory_text(first.of) + load_text(first.run.metrics) +
         replicas_text(first.run.result);
  out += cost_text(first);
  for (const std::string& finding : first.run.findings) out += "finding: " + finding + "\n";
  out += "\n" + latencies_text(first.run.metrics, columns);
  if (!first.run.objectives.empty()) out += "\n" + objectives_text(first.run);
  if (reports.size() > 1) out += "\n" + side_by_side(reports, columns);
  return out;
}

}  // namespace septet::command
