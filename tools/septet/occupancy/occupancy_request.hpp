// What `septet occupancy` is asked, and the answer.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tools/septet/occupancy/occupancy_report.hpp"
#include "tools/septet/options.hpp"

namespace septet::command {

struct OccupancyRequest {
  CommonOptions common;
  OccupancyQuestion question;
  std::string gpu = "h200-sxm";
  std::string ptxas_file;
  std::string kernel;
  std::string architecture;
  bool block_given = false;
  std::vector<std::string> from_report;  // given options that a compiler's report also provides
};

// From the words of the command line. False: --help was given and printed.
bool read_occupancy_request(const std::vector<std::string>& arguments, OccupancyRequest& target);

// One kernel, or each kernel of a compiler's report. Throws ConfigError where the GPU can't run a
// block of the one kernel.
using OccupancyAnswer = std::variant<OccupancyReport, std::vector<KernelLine>>;
OccupancyAnswer answer_request(const OccupancyRequest& request);

}  // namespace septet::command
