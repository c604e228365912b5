#include "scenarios/serving/serving_run.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "scenarios/serving/serving_workload.hpp"

namespace septet::serving {
namespace {

using fleet::FleetMetrics;
using fleet::RequestOutcome;

Duration value_of(const Objective& objective, const FleetMetrics& metrics) {
  const fleet::Distribution& values = metrics.of(objective.latency);
  return objective.percent ? values.at(*objective.percent) : values.mean();
}

// A request is good where each of its latencies is within the limit of the objective, whatever the
// percentile that the objective is about.
bool is_good(const requests::Request& request, const RequestOutcome& outcome, const SloText& slo) {
  if (outcome.fate != fleet::Fate::kCompleted) return false;
  return std::ranges::all_of(slo.latencies, [&](const Objective& objective) {
    const std::optional<Duration> value = fleet::latency_of(objective.latency, request, outcome);
    return !value || *value <= objective.most;
  });
}

// An unknown cost, of a run without an answer, isn't within any limit.
void judge_cost(const SloText& slo, const ServingCost& cost, std::vector<ObjectiveResult>& out) {
  const auto most = [&](const char* key, double wanted, std::optional<double> got,
                        ObjectiveUnit unit) {
    const bool met = got && *got <= wanted * kCostRounding;
    out.push_back({key, wanted, got.value_or(0), true, met, unit});
  };
  if (slo.budget) most("budget", *slo.budget, cost.per_hour, ObjectiveUnit::kPricePerHour);
  if (slo.cost_per_million_output_tokens) {
    most("cost_per_million_output_tokens", *slo.cost_per_million_output_tokens,
         cost.per_million_output_tokens, ObjectiveUnit::kPricePerMillion);
  }
  if (slo.power) {
    most("power", slo.power->count(), cost.power.count(), ObjectiveUnit::kWatts);
  }
}

std::vector<ObjectiveResult> judge(const SloText& slo, const ServingRun& run) {
  std::vector<ObjectiveResult> out;
  for (const Objective& objective : slo.latencies) {
    const double got = to_seconds(value_of(objective, run.metrics));
    const double wanted = to_seconds(objective.most);
    out.push_back({objective.key, wanted, got, true, got <= wanted});
  }
  const auto least = [&](const char* key, double wanted, double got, ObjectiveUnit unit) {
    out.push_back({key, wanted, got, false, got >= wanted, unit});
  };
  if (slo.output_tokens_per_s) {
    least("output_tokens_per_s", *slo.output_tokens_per_s,
          run.metrics.per_second(run.metrics.completed.output_tokens),
          ObjectiveUnit::kTokensPerSecond);
  }
  if (slo.goodput_share) {
    least("goodput_share", *slo.goodput_share,
          static_cast<double>(run.good) /
              static_cast<double>(std::max<std::int64_t>(1, run.metrics.offered.requests)),
          ObjectiveUnit::kShare);
  }
  judge_cost(slo, run.cost, out);
  return out;
}

// What a reader has to know before the figures.
std::vector<std::string> findings_of(const requests::Workload& workload, const ServingRun& run) {
  std::vector<std::string> out = workload.findings;
  const FleetMetrics& metrics = run.metrics;
  if (metrics.offered.requests == 0) {
    out.emplace_back("no request arrived before the run was stopped");
  }
  if (metrics.overloaded) {
    out.push_back(
        fmt::format("overloaded: {} requests were waiting after half of the arrivals, {} at the "
                    "end; latencies grow with the length of the run",
                    metrics.waiting_at_half, metrics.waiting_at_end));
  }
  for (const Entry reason : values_of<Entry>()) {
    const auto count =
        std::ranges::count_if(run.result.requests, [&](const RequestOutcome& outcome) {
          return outcome.fate == fleet::Fate::kRefused && outcome.refusal == reason;
        });
    if (count > 0) out.push_back(fmt::format("{} requests refused: {}", count, text_of(reason)));
  }
  if (metrics.unfinished > 0) {
    out.push_back(fmt::format(
        "{} requests unfinished when the run was stopped: latencies are those of the others",
        metrics.unfinished));
  }
  return out;
}

}  // namespace

bool ServingRun::holds() const {
  return holds_at_any_cost() && std::ranges::all_of(objectives, &ObjectiveResult::met);
}

bool ServingRun::holds_at_any_cost() const {
  const auto kept = [](const ObjectiveResult& one) { return one.met || is_cost(one.unit); };
  return std::ranges::all_of(objectives, kept) && !metrics.overloaded && metrics.refused == 0 &&
         metrics.unfinished == 0;
}

ServingRun run_serving(const RunInput& input, const SloText& slo) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  engine::RunOptions options;
  options.seed = input.seed;
  options.threads = input.threads;
  if (input.end) options.end = Instant(input.end->count());
  ServingRun out;
  out.result = fleet::run_fleet(
      {input.fleet, input.engine, input.costs, input.workload, input.records_steps, input.prefill},
      options);
  out.metrics = fleet::metrics_of(input.workload, out.result);
  for (std::size_t i = 0; i < input.workload.requests.size(); ++i) {
    out.good += is_good(input.workload.requests[i], out.result.requests[i], slo) ? 1 : 0;
  }
  out.cost = cost_of(input.gpu_cost, input.prefill_cost ? &*input.prefill_cost : nullptr,
                     out.result, out.metrics);
  out.objectives = judge(slo, out);
  out.findings = findings_of(input.workload, out);
  out.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return out;
}

ScenarioRun run_scenario(const ServingConfiguration& configuration, const Libraries& libraries,
                         unsigned threads, bool records_steps) {
  ScenarioRun out{case_of(configuration, libraries), {}, {}};
  const ServingText& text = configuration.text;
  const EngineCosts costs = costs_of(out.of, text.serving);
  out.workload = workload_of(text.arrivals, out.of.seed);
  out.of.fleet.failures = failures_of(configuration, out.of.fleet, out.workload, out.of.seed);
  const auto prefill = prefill_pool_of(out.of, text.serving);
  RunInput input{out.of.fleet, out.of.engine, costs,           out.workload,  out.of.seed,
                 threads,      text.run.end,  out.of.gpu_cost, records_steps, prefill.get()};
  if (out.of.prefill) input.prefill_cost = out.of.prefill->gpu_cost;
  out.run = run_serving(input, text.slo);
  return out;
}

}  // namespace septet::serving
