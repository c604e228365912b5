// Explains rows of an Nsight Compute report. A row's counters are converted to a description
// (models/workload/nsight); its durations, stalls and percentages of peak are only compared with,
// never used as input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/host/host_spec.hpp"
#include "models/workload/nsight/nsight_report.hpp"
#include "scenarios/explain/explain.hpp"

namespace septet::explain {

// Whether the file's name is that of such a report: it ends in .csv.
bool names_report(const std::string& file);

struct RowChoice {
  std::optional<std::string> id;      // the row's ID
  std::optional<std::string> kernel;  // part of its kernel's name
};

// The rows that the choice names; all where it names nothing. Throws ConfigError, listing the
// existing IDs or names, if it matches none.
std::vector<nsight::ProfiledKernel> chosen_rows(const std::vector<nsight::ProfiledKernel>& rows,
                                                const RowChoice& choice);

// Throws ConfigError at the row where a metric that is needed is missing, or where not one block
// fits an SM of this GPU.
Explanation explain_row(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                        const nsight::ProfiledKernel& row);

}  // namespace septet::explain
