#include "scenarios/capacity/candidate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/workload/serving/scaled_cost.hpp"
#include "scenarios/serving/serving_workload.hpp"

namespace septet::capacity {
namespace {

serving::EngineCosts scaled(const serving::EngineCosts& costs, double factor) {
  serving::EngineCosts out;
  out.model = std::make_shared<serving::ScaledCost>(costs.model, factor);
  if (costs.draft) out.draft = std::make_shared<serving::ScaledCost>(costs.draft, factor);
  return out;
}

// The host's part of steps is as much a model as the GPU's.
serving::EngineSpec scaled(serving::EngineSpec engine, double factor) {
  serving::HostCost& host = engine.host;
  for (Duration* part : {&host.per_step, &host.per_request, &host.per_prompt_token}) {
    *part = scale(*part, factor);
  }
  return engine;
}

fleet::PrefillPool scaled(const fleet::PrefillPool& pool, double factor) {
  return {scaled(pool.engine, factor), scaled(pool.costs, factor), pool.transfer};
}

double busy_share(const fleet::FleetResult& result) {
  double busy = 0;
  double provided = 0;
  for (const fleet::ReplicaTotals& replica : result.replicas) {
    busy += to_seconds(replica.gpu);
    provided += to_seconds(replica.provided);
  }
  return provided > 0 ? busy / provided : 0;
}

bool is_worse(const serving::ObjectiveResult& a, const serving::ObjectiveResult& b) {
  return a.at_most ? a.got > b.got : a.got < b.got;
}

Candidate summed(const std::vector<serving::ServingRun>& runs) {
  Candidate out;
  out.seeds = static_cast<std::uint32_t>(runs.size());
  out.holds = std::ranges::all_of(runs, &serving::ServingRun::holds);
  out.holds_at_any_cost = std::ranges::all_of(runs, &serving::ServingRun::holds_at_any_cost);
  out.goodput_share = 1;
  const std::size_t objectives = runs.front().objectives.size();
  for (std::size_t i = 0; i < objectives; ++i) {
    std::vector<double> values;
    serving::ObjectiveResult worst = runs.front().objectives[i];
    for (const serving::ServingRun& run : runs) {
      values.push_back(run.objectives[i].got);
      if (is_worse(run.objectives[i], worst)) worst = run.objectives[i];
    }
    out.objectives.push_back({worst, mean_estimate(values)});
  }
  std::vector<double> rates;
  for (const serving::ServingRun& run : runs) {
    const fleet::FleetMetrics& metrics = run.metrics;
    out.overloaded |= metrics.overloaded;
    out.refused += metrics.refused;
    rates.push_back(metrics.per_second(metrics.completed.output_tokens));
    out.goodput_share =
        std::min(out.goodput_share,
                 static_cast<double>(run.good) / static_cast<double>(metrics.offered.requests));
    out.gpu_busy_share += busy_share(run.result) / static_cast<double>(runs.size());
    const double ttft = to_seconds(metrics.of(fleet::Latency::kTtft).mean());
    const double queue = to_seconds(metrics.of(fleet::Latency::kQueue).mean());
    if (ttft > 0) out.queue_share = std::max(out.queue_share, queue / ttft);
    for (const fleet::ReplicaTotals& replica : run.result.replicas) {
      out.peak_cache_use = std::max(out.peak_cache_use, replica.peak_cache_use);
      out.preemptions += replica.preemptions;
    }
  }
  out.output_tokens_per_s = mean_estimate(rates);
  return out;
}

requests::Workload asked(const requests::Workload& workload, const Question& question) {
  return serving::with_lengths(serving::at_rate(workload, question.rate_factor),
                               question.input_factor, question.output_factor);
}

// Nothing where one of them has none.
std::optional<double> mean_of(const std::vector<serving::ServingRun>& runs,
                              std::optional<double> serving::ServingCost::*member) {
  double sum = 0;
  for (const serving::ServingRun& run : runs) {
    const std::optional<double>& value = run.cost.*member;
    if (!value) return std::nullopt;
    sum += *value;
  }
  return sum / static_cast<double>(runs.size());
}

void add_costs(const std::vector<serving::ServingRun>& runs, Candidate& out) {
  using serving::ServingCost;
  out.cost_per_hour = mean_of(runs, &ServingCost::per_hour);
  out.cost_per_million_output_tokens = mean_of(runs, &ServingCost::per_million_output_tokens);
  out.cost_per_million_tokens = mean_of(runs, &ServingCost::per_million_tokens);
  out.joules_per_output_token = mean_of(runs, &ServingCost::joules_per_output_token);
  for (const serving::ServingRun& run : runs) {
    out.power += run.cost.power / static_cast<double>(runs.size());
  }
}

// The objectives that a larger budget doesn't change.
serving::SloText without_costs(serving::SloText slo) {
  slo.budget.reset();
  slo.cost_per_million_output_tokens.reset();
  slo.power.reset();
  return slo;
}

}  // namespace

double worst_share(const Candidate& candidate) {
  double out = 0;
  for (const ObjectiveEstimate& objective : candidate.objectives) {
    const serving::ObjectiveResult& worst = objective.worst;
    if (worst.got <= 0 || worst.wanted <= 0) continue;  // nothing was completed
    if (worst.unit == serving::ObjectiveUnit::kPricePerHour) continue;
    out = std::max(out, worst.at_most ? worst.got / worst.wanted : worst.wanted / worst.got);
  }
  return out;
}

Evaluator::Evaluator(const serving::ServingConfiguration& base, unsigned threads)
    : base_(base), threads_(threads) {
  const serving::ServingText& text = base.text;
  const std::uint32_t seeds = serving::is_random(text.arrivals) ? text.search.seeds : 1;
  for (std::uint32_t i = 0; i < seeds; ++i) {
    workloads_.push_back(serving::workload_of(text.arrivals, text.run.seed + i));
  }
}

Candidate Evaluator::evaluate(const std::vector<Option>& options, std::size_t option,
                              std::uint32_t replicas, const Question& question) {
  std::vector<serving::ServingRun> runs;
  for (std::size_t seed = 0; seed < workloads_.size(); ++seed) {
    runs.push_back(run(options[option], replicas, question, seed));
    if (!runs.back().holds()) break;
  }
  Candidate out = summed(runs);
  out.option = option;
  out.replicas = replicas;
  out.gpus = options[option].gpus_of_fleet(replicas);
  add_costs(runs, out);
  return out;
}

serving::ServingRun Evaluator::run(const Option& option, std::uint32_t replicas,
                                   const Question& question, std::size_t seed, bool records_steps) {
  ++runs_;
  const serving::ServingCase& of = *option.of;
  fleet::FleetSpec fleet = of.fleet;
  fleet.replicas = replicas;
  const std::uint64_t number = of.seed + seed;
  const bool same_requests =
      question.rate_factor == 1 && question.input_factor == 1 && question.output_factor == 1;
  const requests::Workload other =
      same_requests ? requests::Workload{} : asked(workloads_[seed], question);
  const requests::Workload& workload = same_requests ? workloads_[seed] : other;
  fleet.failures = serving::failures_of(*option.configuration, fleet, workload, number);
  const bool same_service = question.service_factor == 1;
  const serving::EngineCosts costs =
      same_service ? option.costs : scaled(option.costs, question.service_factor);
  const serving::EngineSpec engine = scaled(of.engine, question.service_factor);
  serving::RunInput input{
      fleet,       engine,       costs, workload, number, threads_, base_.text.run.end,
      of.gpu_cost, records_steps};
  std::optional<fleet::PrefillPool> prefill;
  if (of.prefill) {
    prefill = same_service ? *option.prefill : scaled(*option.prefill, question.service_factor);
    input.prefill = &*prefill;
    input.prefill_cost = of.prefill->gpu_cost;
  }
  const serving::SloText& slo = base_.text.slo;
  return serving::run_serving(input, question.any_cost ? without_costs(slo) : slo);
}

}  // namespace septet::capacity
