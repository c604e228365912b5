#include "tools/septet/claims/run_claims.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/study/hardware_system.hpp"

namespace septet::command {
namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& folder, std::vector<fs::path>& out) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  }
  if (paths.empty()) throw ConfigError({folder.string()}, "holds no scenario (*.toml)");
  std::sort(paths.begin(), paths.end());
  out.insert(out.end(), paths.begin(), paths.end());
}

// The GPUs that claims name, each set up once.
class ClaimGpus {
 public:
  ClaimGpus(const std::vector<std::string>& settings, const std::vector<fs::path>& directories)
      : settings_(settings), library_(directories) {}

  std::vector<const claims::ClaimGpu*> of(const claims::Claim& claim) {
    std::vector<const claims::ClaimGpu*> out;
    for (const std::string& name : claim.gpus()) out.push_back(&gpu(name, claim));
    return out;
  }

  std::vector<config::Configuration> configurations() && { return std::move(configurations_); }

 private:
  // A profile's file is searched for next to the claim, so the same name may refer to several
  // files.
  const claims::ClaimGpu& gpu(const std::string& name, const claims::Claim& claim) {
    const std::string folder = name.ends_with(".toml") ? claim.file.parent_path().string() : "";
    const auto [at, fresh] = gpus_.try_emplace({folder, name});
    if (!fresh) return at->second;
    config::Configuration configuration =
        hardware_configuration(name, "", settings_, library_, claim.where_of_gpu(name));
    at->second = {name, configuration.resolved, study::system_of(read_hardware(configuration))};
    configurations_.push_back(std::move(configuration));
    return at->second;
  }

  const std::vector<std::string>& settings_;
  config::ProfileLibrary library_;
  std::map<std::pair<std::string, std::string>, claims::ClaimGpu> gpus_;  // by folder and name
  std::vector<config::Configuration> configurations_;
};

}  // namespace

std::vector<ScenarioFile> read_scenario_files(const std::vector<std::string>& names) {
  std::vector<fs::path> paths;
  for (const std::string& name : names) {
    if (fs::is_directory(name)) {
      add_folder(name, paths);
    } else {
      paths.emplace_back(name);
    }
  }
  std::vector<ScenarioFile> out;
  std::set<fs::path> seen;
  for (const fs::path& path : paths) {
    if (seen.insert(fs::weakly_canonical(path)).second)
      out.push_back({path, config::read_toml_file(path)});
  }
  return out;
}

ClaimResults evaluate_claims(const std::vector<ScenarioFile>& files,
                             const std::vector<std::string>& settings,
                             const std::vector<fs::path>& data_directories) {
  ClaimGpus gpus(settings, data_directories);
  claims::Measurements measurements(data_directories);
  std::vector<claims::ClaimResult> out;
  for (const ScenarioFile& file : files) {
    if (!claims::is_claim(file.tree)) {
      throw ConfigError(file.tree.where,
                        "no table [claim]: several files run together only if all are claims");
    }
    const claims::Claim claim = claims::read_claim(file.tree, file.path);
    out.push_back(evaluate(claim, gpus.of(claim), measurements));
  }
  return {std::move(out), std::move(gpus).configurations()};
}

}  // namespace septet::command
