// What people and scripts are told about a validation.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/validate/validate.hpp"

namespace septet::command {

// {"groups": {NAME: {"n", "unsupported", "median_abs_pct", "p90_abs_pct", "max_abs_pct",
// "bias_pct"}}, "rows": [{"file", "line", "group", "case", "metric", "measured", "predicted",
// "error_pct", "limiter"}], "warnings"}; null where there is no figure
nlohmann::ordered_json validate_json(const std::vector<validation::ValidatedRow>& rows,
                                     const std::vector<std::string>& warnings);

// The errors by group.
std::string groups_text(const std::vector<validation::ValidatedRow>& rows, std::size_t columns);
// Why rows have no prediction, and how many; empty where all have one.
std::string unsupported_text(const std::vector<validation::ValidatedRow>& rows,
                             std::size_t columns);
// The `count` rows with the largest errors.
std::string worst_text(const std::vector<validation::ValidatedRow>& rows, std::size_t count,
                       std::size_t columns);
// Every row with its prediction.
std::string rows_csv(const std::vector<validation::ValidatedRow>& rows);

}  // namespace septet::command
