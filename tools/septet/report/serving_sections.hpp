// What serving runs and the best fleet of a capacity search have in common.
#pragma once

#include <string>

#include "tools/septet/report/document.hpp"
#include "tools/septet/report/result_reader.hpp"

namespace septet::command {

// `summary`: the object of that name (tools/septet/serving).
void add_latencies(const Result& result, const nlohmann::ordered_json& summary,
                   const std::string& id, Chapter& chapter);
void add_load_over_time(const Result& result, const std::string& id, Chapter& chapter);
// KV cache, batch size and preemptions over time, of the steps in the trace.
void add_steps_over_time(const Result& result, const std::string& id, Chapter& chapter);

// What the GPUs of a fleet cost and draw. `of`: a candidate, or the cost and energy of a summary;
// `price`: {"gpu_hour", "currency", "list", "date"} or null.
struct FleetCost {
  nlohmann::ordered_json per_hour;  // numbers, or null
  nlohmann::ordered_json per_million_output_tokens;
  nlohmann::ordered_json watts;
  nlohmann::ordered_json joules_per_output_token;
  nlohmann::ordered_json price;
};
void add_cost_numbers(const FleetCost& cost, Chapter& chapter);

void add_memory(const nlohmann::ordered_json& summary, const std::string& id, Chapter& chapter);
void add_utilization(const nlohmann::ordered_json& summary, const std::string& id,
                     Chapter& chapter);

// "TTFT p99" of "ttft_p99", "goodput" of "goodput_share".
std::string objective_name(const std::string& key);
// With its unit.
std::string objective_value(const nlohmann::ordered_json& objective, const char* key);

}  // namespace septet::command
