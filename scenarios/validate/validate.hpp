// Compares Septet with measured rows and summarises the errors of each group.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

struct ValidatedRow {
  MeasuredRow row;
  Prediction prediction;
  // 100 (predicted / measured - 1); absent where either is unknown or nothing was measured (0).
  std::optional<double> error_percent() const;
};

struct GroupErrors {
  std::uint64_t rows = 0;
  std::uint64_t unsupported = 0;  // rows without a prediction
  std::uint64_t compared = 0;     // rows with an error
  double median_abs = 0;
  double p90_abs = 0;
  double max_abs = 0;
  double bias = 0;  // mean error, with its sign
};

// The largest errors that a group may have, in per cent.
struct ErrorLimits {
  double median_abs = 0;
  double p90_abs = 0;
};

// Predicts one row. A mistake in it, and what the models refuse, become an unsupported prediction
// with the reason.
Prediction predict(const MeasuredRow& row, const system::SystemSpec& system);

// By group, in the order of first appearance.
std::vector<std::pair<std::string, GroupErrors>> group_errors(
    const std::vector<ValidatedRow>& rows);

// A line for each group whose errors are above the limits, and one where no row was compared at
// all: what was not looked at meets no limit.
std::vector<std::string> above(const std::vector<ValidatedRow>& rows, const ErrorLimits& limits);

// How many rows have no prediction, for people; empty where all have one.
std::string unanswered_text(const std::vector<ValidatedRow>& rows);

}  // namespace septet::validation
