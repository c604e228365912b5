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
void add_memory(const nlohmann::ordered_json& summary, const std::string& id, Chapter& chapter);
void add_utilization(const nlohmann::ordered_json& summary, const std::string& id,
                     Chapter& chapter);

// "TTFT p99" of "ttft_p99", "goodput" of "goodput_share".
std::string objective_name(const std::string& key);
// With its unit.
std::string objective_value(const nlohmann::ordered_json& objective, const char* key);

}  // namespace septet::command
