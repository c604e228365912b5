// An explanation as text and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/explain/explain.hpp"

namespace septet::command {

// `columns`: the terminal's width. `color`: the longest stage stands out.
std::string explain_text(const explain::Explanation& explanation, std::size_t columns, bool color);

// Times in microseconds, percentages from 0 to 100, shares from 0 to 1.
nlohmann::ordered_json explain_json(const explain::Explanation& explanation);

// Kernels of a report: a line each, and what bounds them all.
std::string rows_text(const std::vector<explain::Explanation>& rows, std::size_t columns);
// {"kernels": [...]}, each as explain_json gives it, with its "id".
nlohmann::ordered_json rows_json(const std::vector<explain::Explanation>& rows);

}  // namespace septet::command
