// Predictions of many rows, several at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/validate/row_systems.hpp"
#include "scenarios/validate/validate.hpp"

namespace septet::validation {

// The files that all of `names` stand for, and their rows, in their order. Throw ConfigError as
// those of one name do.
std::vector<std::string> measurement_files(const std::vector<std::string>& names);
std::vector<MeasuredRow> read_measurements(const std::vector<std::string>& files);

// In the order of `rows`, the same for any number of threads. A profile that a row alone names, and
// that isn't there, is that row's mistake; throws ConfigError for the chosen one. `progress` is
// told the share of rows that are done, by one thread at a time.
std::vector<ValidatedRow> validate_rows(std::vector<MeasuredRow> rows, RowSystems& systems,
                                        unsigned threads,
                                        const std::function<void(double)>& progress);

}  // namespace septet::validation
