// `septet run` of a serving scenario, with its what-ifs.
#pragma once

#include <filesystem>
#include <list>
#include <string>
#include <vector>

#include "scenarios/config/toml/value.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/serving/serving_report.hpp"
#include "tools/septet/study/provenance.hpp"

namespace septet::command {

// --exact of commands that simulate serving: the setting that it stands for.
inline constexpr const char* kExactSetting = "serving.exact=true";
inline constexpr const char* kExactText =
    "simulate every step anew, with all its layers and lengths as they are (slow)";

struct ServingStudyRun : serving::ScenarioRun {
  std::string name;
};
using ServingStudy = std::list<ServingStudyRun>;  // the scenario itself, then its what-ifs

// `name`: of the scenario.
ServingStudy study_serving(const std::string& name, const serving::ServingConfiguration& base,
                           const serving::Libraries& libraries, unsigned threads,
                           bool records_steps = false);
// The same of a file with `settings` laid over.
ServingStudy study_serving(const std::string& name, const config::ConfigValue& tree,
                           const std::vector<std::string>& settings, unsigned threads);
std::vector<ServingReport> reports_of(const ServingStudy& study);  // refer to it

struct ServingRequest {
  std::filesystem::path file;
  const CommonOptions& common;
  const CommandClock& clock;
};

// Prints the report and writes the result folder, if one is wanted; an exit code.
ExitCode run_serving_file(const config::ConfigValue& tree, const ServingRequest& request);

}  // namespace septet::command
