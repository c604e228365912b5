// One fleet of an option, simulated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mean_estimate.hpp"
#include "scenarios/capacity/option.hpp"

namespace septet::capacity {

struct ObjectiveEstimate {
  serving::ObjectiveResult worst;  // of all seeds
  MeanEstimate got;                // of all seeds
};

struct Candidate {
  std::size_t option = 0;
  std::uint32_t replicas = 1;
  std::uint32_t gpus = 1;
  bool holds = false;              // with every seed
  bool holds_at_any_cost = false;  // but for the limits of price and power
  bool overloaded = false;
  std::uint32_t seeds = 0;  // that were run: a candidate that fails needs no more
  std::vector<ObjectiveEstimate> objectives;
  MeanEstimate output_tokens_per_s;
  double goodput_share = 0;   // least of all seeds
  double gpu_busy_share = 0;  // mean
  double queue_share = 0;     // of the mean TTFT, spent before the first step
  double peak_cache_use = 0;
  std::uint64_t preemptions = 0;
  std::int64_t refused = 0;
  // Means; nothing without a price or an answer.
  std::optional<double> cost_per_hour;
  std::optional<double> cost_per_million_output_tokens;
  std::optional<double> cost_per_million_tokens;
  std::optional<double> joules_per_output_token;
  Power power{};  // of the fleet's GPUs, mean
};

// The objective that is nearest to its limit, or furthest beyond it: what it reached, as a share of
// the limit; above 1 it is missed. The budget is left out: no load changes the price of a fleet.
double worst_share(const Candidate& candidate);

// What is asked of a candidate besides its replicas.
struct Question {
  double rate_factor = 1;     // of the arrivals' rate
  double service_factor = 1;  // of what steps take
  double input_factor = 1;    // of the tokens of prompts
  double output_factor = 1;   // of those of answers
  bool any_cost = false;      // whatever it costs: without the limits of price and power
};

// The same requests for all candidates: a workload for each seed.
class Evaluator {
 public:
  Evaluator(const serving::ServingConfiguration& base, unsigned threads);

  Candidate evaluate(const std::vector<Option>& options, std::size_t option, std::uint32_t replicas,
                     const Question& question = {});

  // With the first seed alone, and all that happened.
  serving::ServingRun run_once(const Option& option, std::uint32_t replicas) {
    return run(option, replicas, {}, 0, true);
  }

  const requests::Workload& workload() const { return workloads_.front(); }
  std::uint64_t runs() const { return runs_; }

 private:
  serving::ServingRun run(const Option& option, std::uint32_t replicas, const Question& question,
                          std::size_t seed, bool records_steps = false);

  const serving::ServingConfiguration& base_;
  unsigned threads_;
  std::vector<requests::Workload> workloads_;  // by seed
  std::uint64_t runs_ = 0;
};

}  // namespace septet::capacity
