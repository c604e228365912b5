// The result folder of a serving run or a capacity search (tools/septet/results): trace.h5 with the
// requests, summary and provenance.
#pragma once

#include <filesystem>
#include <string>

#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/serving/serving_run.hpp"
#include "tools/septet/results/result_folder.hpp"

namespace septet::command {

// `file`: the scenario; `settings`: of --set.
RunOrigin serving_origin(const std::filesystem::path& file,
                         const serving::ServingConfiguration& configuration,
                         const std::vector<std::string>& settings);

// Writes trace.h5 into `folder`: the requests and steps of a run, its resolved configuration and
// inputs. `run`: nothing where no fleet was found; the tables are then empty.
void write_requests(const std::filesystem::path& folder, const RunOrigin& origin,
                    const serving::ServingConfiguration& configuration,
                    const requests::Workload& workload, const serving::ServingRun* run);

}  // namespace septet::command
