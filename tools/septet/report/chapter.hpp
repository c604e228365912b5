// A result as a chapter of the report. A section appears only where the result has its data.
#pragma once

#include <cstddef>
#include <string>

#include "scenarios/validate/errors/validation_errors.hpp"
#include "tools/septet/report/document.hpp"
#include "tools/septet/report/result_reader.hpp"

namespace septet::command {

// `number`: of the chapter, from 1; ids of its parts begin with it. Throws ConfigError where the
// result lacks what results of its kind have.
Chapter chapter_of(const Result& result, const validation::ValidationErrors& errors,
                   std::size_t number);

// The parts of one kind. `id`: what ids begin with.
void fill_capacity(const Result& result, const std::string& id, Chapter& chapter);
void fill_serving(const Result& result, const std::string& id, Chapter& chapter);
void fill_study(const Result& result, const std::string& id, Chapter& chapter);
void fill_sweep(const Result& result, const std::string& id, Chapter& chapter);
void fill_explain(const Result& result, const std::string& id, Chapter& chapter);

}  // namespace septet::command
