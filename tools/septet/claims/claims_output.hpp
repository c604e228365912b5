// Output of claims as text and JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/claims/claim_result.hpp"

namespace septet::command {

// Each claim with a table of its situations, its verdict and reason; then a table of all verdicts.
std::string claims_text(const std::vector<claims::ClaimResult>& results, std::size_t columns);

// {"claims": [{"name", "text", "figure", "situations", "verdict", "reason"}], "verdicts": {}}
nlohmann::ordered_json claims_json(const std::vector<claims::ClaimResult>& results);

// The claim's figure with its unit: "10 to 15 us", "at least 1.15x".
std::string figure_text(const claims::Figure& figure);

}  // namespace septet::command
