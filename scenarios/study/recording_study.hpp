// The study of a recording, or of those of several ranks of one run: each replayed by its
// dependencies on the GPU that it was made on.
#pragma once

#include <string>
#include <vector>

#include "models/workload/recorded/import/importer.hpp"
#include "scenarios/config/configuration.hpp"
#include "scenarios/study/study.hpp"

namespace septet::study {

struct RecordingRequest {
  std::vector<std::string> files;  // in any order
  std::string gpu;                 // profile of the GPU that was recorded; empty: by its name
  std::string like;                // profile to take an unknown GPU for; empty: none
  std::string target_gpu;          // on which the recording is replayed too; empty: none
  std::vector<std::string> settings;
  engine::RunOptions options;
};

struct RecordingStudy {
  std::vector<std::string> files;  // by rank
  recorded::Import import;         // without its program, which the base has
  std::vector<std::string> warnings;
  std::vector<std::string>
      missing;  // what files that end early lack: in every report, not in warnings
  std::vector<std::string> advice;  // how another recording would say more, or say it more truly
  config::Configuration hardware;   // the one that was recorded on
  StudyCase base;
};

// Throws ConfigError where a file cannot be read, is of a rank that another one is of, or names an
// unknown GPU.
RecordingStudy read_recordings(const RecordingRequest& request);

// A change of the recording, and the option that asks for it.
struct AskedChange {
  std::string change;
  std::string asked_by;
};

// The move to the target GPU, where there is one, alone and then before each of `what_ifs`.
std::vector<AskedChange> changes_of(const RecordingRequest& request,
                                    const std::vector<std::string>& what_ifs);

// A recorded program on a profile's system with the latencies that the recording shows.
StudyCase recorded_case(const std::string& name, program::Program program,
                        const recorded::RecordedLatencies& latencies,
                        const system::SystemSpec& profile, const engine::RunOptions& options,
                        const whatif::ProfilerCosts& profiler = {});

}  // namespace septet::study
