// What people and scripts are told about a capacity search.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/capacity/search.hpp"

namespace septet::command {

// {"feasible", "best", "candidates", "limits", "removed", "beyond", "curve", "headroom",
// "loss_of_one_replica", "model_error", "sensitivity", "months", "offered_requests_per_s",
// "summary", "runs"}: `summary` is that of `septet run` (serving_report.hpp), of the best fleet
// with the first seed.
nlohmann::ordered_json capacity_json(const capacity::CapacityResult& result);

std::string capacity_text(const capacity::CapacityResult& result, std::size_t columns);

}  // namespace septet::command
