// What people and scripts are told about a serving run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/serving/serving_run.hpp"

namespace septet::command {

// A run and what it was a run of.
struct ServingReport {
  std::string name;
  const serving::ServingCase& of;
  const serving::ServingRun& run;
};

// {"requests": {"offered", "admitted", "completed", "refused", "unfinished"}, "throughput",
// "latency_ms": {"ttft": {"mean", "p50", "p90", "p95", "p99", "max"}, ...}, "overloaded",
// "objectives", "goodput", "memory", "replicas", "findings"}
nlohmann::ordered_json serving_summary(const ServingReport& report);

// {"simulated_us", "events", "digest", "wall_s", "summary", "what_ifs": [{"name", "simulated_us",
// "summary"}], "warnings"}: the first of `reports` is the scenario itself.
nlohmann::ordered_json serving_json(const std::vector<ServingReport>& reports);

// The first report in full, then all of them side by side.
std::string serving_text(const std::vector<ServingReport>& reports, std::size_t columns);

// Objectives are shown in ms, tokens/s, W and so on: the factor and the name of that unit.
double shown_factor(serving::ObjectiveUnit unit);
std::string shown_unit(serving::ObjectiveUnit unit);

// Behind an amount: " USD an hour at 2.49 a GPU-hour (aws, 2026-11-09)". Of a cost with a price.
std::string priced_text(const serving::GpuCost& gpu, const std::string& per = "");

// [{"objective", "wanted", "got", "met"}]; latencies in ms
nlohmann::ordered_json objectives_json(const std::vector<serving::ObjectiveResult>& results);

// "ttft_p99 212.3 ms (at most 300.0 ms)"
std::string objective_text(const serving::ObjectiveResult& result);

// "weights 15.0 GiB + ...: 5,231 blocks of 16 tokens, 83,696 tokens"
std::string memory_text(const serving::ServingCase& of);

}  // namespace septet::command
