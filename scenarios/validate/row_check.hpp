// Semantic checks of a measured row: unknown keys, units that do not match the metric, metrics that
// a group doesn't have, impossible sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/validate/measurement.hpp"

namespace septet::validation {

// Throws ConfigError with file and line if `object`, the row as written in the file, or its
// case has an unknown key; the message says what may have been meant.
void check_keys(const MeasuredRow& row, const nlohmann::ordered_json& object);

// Throws ConfigError with file and line where the row's value is below zero or infinite, has no
// unit although its metric has one, or has another one.
void check_value(const MeasuredRow& row);

// The same for a size of loads, an unrolling or a state of the L2 cache that no kernel has.
void check_case(const MeasuredRow& row);

// Why no Program is built from a row: its group has no such metric, or it has more commands than
// any measurement (a million, or 2 * 10^8 blocks in all). Throws ConfigError with file and line for
// a number of commands of 0.
std::optional<std::string> why_unanswerable(const MeasuredRow& row);

// For each file, how many rows say that their value is null.
std::vector<std::string> row_warnings(const std::vector<MeasuredRow>& rows);

}  // namespace septet::validation
