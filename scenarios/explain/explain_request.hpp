// What `septet explain` is asked: a kernel file, an operator, or rows of a profiler's report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/explain/explain.hpp"
#include "scenarios/explain/profiled_rows.hpp"

namespace septet::explain {

// One of `file`, `kernel` and `op`.
struct ExplainRequest {
  std::string file;                           // a kernel file or a report
  std::optional<config::ConfigValue> kernel;  // a kernel file that has been read
  std::vector<std::string> op;                // "op=gemm", "m=4096", ...
  std::string gpu;                            // empty: the file's or report's, else h200-sxm
  RowChoice rows;                             // of a report
  std::vector<std::string> settings;          // "key=value" of each --set
};

struct Explained {
  std::vector<Explanation> kernels;  // at least one
  std::vector<std::string> notes;    // what was assumed or left out
};

// The profile that was asked for, else that of the name; none for one from a kernel file.
std::optional<config::Profile> profile_of(const ExplainRequest& request, const std::string& gpu,
                                          const config::ProfileLibrary& library);

// Warnings about the GPU's profile go to the first kernel. Throws ConfigError, also where not one
// of the chosen rows can be explained.
Explained explain_request(const ExplainRequest& request, const config::ProfileLibrary& library);

}  // namespace septet::explain
