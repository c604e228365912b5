// How close predictions like a result's came to measurements.
#pragma once

#include <string>
#include <vector>

#include "scenarios/validate/errors/validation_errors.hpp"
#include "tools/septet/report/assumptions.hpp"
#include "tools/septet/report/document.hpp"
#include "tools/septet/report/result_reader.hpp"

namespace septet::command {

// `all`: the assumptions of the result, which say what is served.
void add_validation(const Result& result, const std::vector<Assumption>& all,
                    const validation::ValidationErrors& errors, const std::string& id,
                    Chapter& chapter);

}  // namespace septet::command
