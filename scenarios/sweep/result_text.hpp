// The result of a point as a JSON array, as journals and processes pass it on.
#pragma once

#include <string>

#include "scenarios/sweep/experiment.hpp"

namespace septet::sweep {

// [point, status, values, message]
std::string result_text(const std::string& point, const PointResult& result);

struct NamedResult {
  std::string point;
  PointResult result;
};
// Throws what the JSON library throws where the text is of another form.
NamedResult read_result(const std::string& text);

}  // namespace septet::sweep
