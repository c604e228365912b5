// Septet's prediction for one measured row.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/system/system.hpp"
#include "scenarios/validate/measurement.hpp"

namespace septet::validation {

struct Prediction {
  std::optional<double> value;  // in the row's unit; absent: the model can't do it
  std::string limiter;          // what the time went into, or why there is no answer
};

inline Prediction unsupported(std::string reason) { return {std::nullopt, std::move(reason)}; }

// Answers the rows of one kind of case, given the system they were measured on.
using CaseModel =
    std::function<Prediction(const MeasuredRow& row, const system::SystemSpec& system)>;

struct CaseKind {
  std::string group;
  std::string what;  // the case's "what"; empty: the group has only one kind
  CaseModel model;
};

// Every kind of case that Septet has a Program for.
const std::vector<CaseKind>& case_kinds();

}  // namespace septet::validation
