// How close predictions like a result's came to measurements.
#pragma once

#include <string>
#include <vector>

#include "tools/septet/report/assumptions.hpp"
#include "tools/septet/report/document.hpp"
#include "tools/septet/report/result_reader.hpp"
#include "tools/septet/report/validation_errors.hpp"

namespace septet::command {

// `all`: the assumptions of the result, which say what is served.
void add_validation(const Result& result, const std::vector<Assumption>& all,
                    const ValidationErrors& errors, const std::string& id, Chapter& chapter);

}  // namespace septet::command
