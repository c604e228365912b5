// The charts of a capacity search.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tools/septet/report/document.hpp"

namespace septet::command {

// Attainment, goodput and each objective against the rate, with the knee. `root`: of capacity's
// JSON.
void add_curve(const nlohmann::ordered_json& root, const std::string& id, Chapter& chapter);

// The number of GPUs under other assumptions; nothing where the search asked none.
void add_sensitivity(const nlohmann::ordered_json& root, const std::string& id, Chapter& chapter);

// Candidates by number of GPUs and their worst objective; the front: those that none beats in both.
Figure pareto_figure(const nlohmann::ordered_json& candidates, const std::string& id);

}  // namespace septet::command
