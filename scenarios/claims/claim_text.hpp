// A claim about GPUs as it is written in a file: one struct a table. scenarios/claims/FORMAT.md
// describes the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/config/program/scenario_text.hpp"

namespace septet {

// The keys of a measured case, as they came.
struct CaseText {
  ConfigValue table;
};

// One addend of a side: exactly one of rows, group, kernel, number and reports is given.
struct PartText {
  Place place;
  double times = 1;
  std::string rows;
  std::string group;
  CaseText case_;
  std::string metric;
  std::optional<Name> kernel;
  std::string take;
  std::string number;
  std::string unit;
  std::vector<std::string> reports;
  std::vector<std::string> among;
  std::vector<std::string> count;
  std::string mean;
};

struct SituationText {
  Place place;
  Name name;
  double amount = 0;
  std::vector<PartText> before;
  std::vector<PartText> after;
};

struct StatementText {
  Place place;
  std::string text;
  Name kind;
  double figure = 0;
  std::optional<double> figure_most;
  std::string unit;
  std::optional<Name> bound;
  double tolerance = 0.2;
  std::string premises;
  std::vector<std::string> gpus;
  Name verdict;
  std::string reason;
};

struct ClaimText {
  StatementText claim;
  std::vector<KernelText> kernels;
  std::vector<SituationText> situations;
};

const Fields<ClaimText>& claim_file_fields();

// The field reference of such files, as Markdown.
std::string claim_reference();

}  // namespace septet
