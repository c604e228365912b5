// The report on several results: a chapter each, and what compares them.
#pragma once

#include <string>
#include <vector>

#include "scenarios/validate/errors/validation_errors.hpp"
#include "tools/septet/report/document.hpp"
#include "tools/septet/report/result_reader.hpp"

namespace septet::command {

// `title`: empty for one made of the results' names.
Document document_of(const std::vector<Result>& results, const validation::ValidationErrors& errors,
                     const std::string& title);

}  // namespace septet::command
