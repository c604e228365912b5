// What the tests of the shipped scenarios share: reading them, and running one with its what-ifs.
#pragma once

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "scenarios/system/run_program.hpp"

namespace septet {

// The repository: where the data of this build comes from.
inline std::filesystem::path source_directory() {
  for (const std::filesystem::path& data : config::data_directories()) {
    const std::filesystem::path folder = data.parent_path();
    if (std::filesystem::is_directory(folder / "scenarios" / "shipped")) return folder;
  }
  throw std::runtime_error("no folder of shipped scenarios");
}

inline const std::filesystem::path kSource = source_directory();
inline const std::string kAsWritten = "as written";

inline std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "scenarios" / "shipped")) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// A scenario and its what-ifs by name, in the order of the file; first kAsWritten.
using Variations = std::vector<std::pair<std::string, config::Scenario>>;

inline Variations variations_of(const std::string& name) {
  const config::ProfileLibrary library({(kSource / "data").string()});
  const std::filesystem::path file = kSource / "scenarios" / "shipped" / (name + ".toml");
  const config::Configuration configuration = resolve(config::read_toml_file(file), {}, library);
  Variations out{{kAsWritten, read_scenario(configuration)}};
  std::vector<config::Scenario> varied =
      read_variations(configuration, out.front().second.what_ifs, library);
  for (std::size_t i = 0; i < varied.size(); ++i) {
    out.emplace_back(out.front().second.what_ifs[i].name, std::move(varied[i]));
  }
  return out;
}

inline system::ProgramRun run_of(const config::Scenario& scenario, unsigned threads) {
  return system::run_program(scenario.program, study::system_of(scenario.hardware),
                             study::options_of(scenario.run, threads));
}

}  // namespace septet
