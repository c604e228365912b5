#include "tools/septet/claims/run_claims.hpp"

#include <algorithm>
#include <map>

#include "scenarios/config/program_reader.hpp"
#include "scenarios/config/toml_reader.hpp"
#include "tools/septet/hardware_system.hpp"

namespace septet {
namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& folder, std::vector<ScenarioFile>& out) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  }
  if (paths.empty()) throw ConfigError({folder.string()}, "holds no scenario (*.toml)");
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) out.push_back({path, read_toml_file(path)});
}

// The GPUs that claims name, each set up once.
class ClaimGpus {
 public:
  ClaimGpus(const std::vector<std::string>& settings, const std::vector<fs::path>& directories)
      : settings_(settings), library_(directories) {}

  std::vector<const ClaimGpu*> of(const Claim& claim) {
    std::vector<const ClaimGpu*> out;
    for (const std::string& name : claim.gpus()) out.push_back(&gpu(name, claim));
    return out;
  }

 private:
  const ClaimGpu& gpu(const std::string& name, const Claim& claim) {
    const auto known = gpus_.find(name);
    if (known != gpus_.end()) return known->second;
    const Configuration configuration = hardware_configuration(
        name, "", settings_, library_, claim.text.claim.place.where().text());
    ClaimGpu out{name, configuration.resolved, system_of(read_hardware(configuration))};
    return gpus_.emplace(name, std::move(out)).first->second;
  }

  const std::vector<std::string>& settings_;
  ProfileLibrary library_;
  std::map<std::string, ClaimGpu> gpus_;
};

}  // namespace

std::vector<ScenarioFile> read_scenario_files(const std::vector<std::string>& names) {
  std::vector<ScenarioFile> out;
  for (const std::string& name : names) {
    if (fs::is_directory(name)) {
      add_folder(name, out);
    } else {
      out.push_back({name, read_toml_file(name)});
    }
  }
  return out;
}

std::vector<Judgement> judge_claims(const std::vector<ScenarioFile>& files,
                                    const std::vector<std::string>& settings,
                                    const std::vector<fs::path>& data_directories) {
  ClaimGpus gpus(settings, data_directories);
  Measurements measurements(data_directories);
  std::vector<Judgement> out;
  for (const ScenarioFile& file : files) {
    if (!is_claim(file.tree)) {
      throw ConfigError(file.tree.where,
                        "no table [claim]: several files run together only if all are claims");
    }
    const Claim claim = read_claim(file.tree, file.path);
    out.push_back(judge(claim, gpus.of(claim), measurements));
  }
  return out;
}

}  // namespace septet
