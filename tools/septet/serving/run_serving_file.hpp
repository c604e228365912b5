// `septet run` of a serving scenario, with its what-ifs.
#pragma once

#include <filesystem>

#include "scenarios/config/toml/value.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/study/provenance.hpp"

namespace septet::command {

struct ServingRequest {
  std::filesystem::path file;
  const CommonOptions& common;
  const CommandClock& clock;
};

// Prints the report and writes the result folder, if one is wanted; an exit code.
ExitCode run_serving_file(const config::ConfigValue& tree, const ServingRequest& request);

}  // namespace septet::command
