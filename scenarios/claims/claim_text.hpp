// A claim about GPUs as written in a file: one struct per table. scenarios/claims/FORMAT.md
// describes the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/config/program/scenario_text.hpp"

namespace septet::claims {

// The keys of a measured case, as they came.
struct CaseText {
  config::ConfigValue table;
};

// One addend of a side: exactly one of rows, group, kernel, number and reports is given.
struct PartText {
  config::Place place;
  double times = 1;
  std::string rows;
  std::string group;
  CaseText case_;
  std::string metric;
  std::optional<config::Name> kernel;
  std::string take;
  std::string number;
  std::string unit;
  std::vector<std::string> reports;
  std::vector<std::string> among;
  std::vector<std::string> count;
  std::string mean;
};

struct SituationText {
  config::Place place;
  config::Name name;
  double amount = 0;
  std::vector<PartText> before;
  std::vector<PartText> after;
};

struct StatementText {
  config::Place place;
  std::string text;
  config::Name kind;
  double figure = 0;
  std::optional<double> figure_most;
  std::string unit;
  std::optional<config::Name> bound;
  double tolerance = 0.2;
  std::string premises;
  std::vector<std::string> gpus;
  config::Name verdict;
  std::string reason;
};

struct ClaimText {
  StatementText claim;
  std::vector<config::KernelText> kernels;
  std::vector<SituationText> situations;
};

const config::Fields<ClaimText>& claim_file_fields();

// The field reference of such files, as Markdown.
std::string claim_reference();

}  // namespace septet::claims
