// The serving engines that Septet knows: data/engines, one file each, whose name is the engine's.
//
// A file holds the fields of [engine], each number with its source, and [[gpu_class]] tables:
// values for GPUs with at least so much memory, of which the first that fits counts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "scenarios/config/toml/value.hpp"

namespace septet::serving {

struct EngineProfile {
  std::string name;
  std::vector<std::string> aliases;  // "vllm", with the releases of several profiles
  std::string since;                 // the first release that it describes
  std::string description;
  std::filesystem::path file;
  config::ConfigValue numbers;  // as written, without the classes
  config::ConfigValue::Array classes;
};

class EngineLibrary {
 public:
  explicit EngineLibrary(const std::vector<std::filesystem::path>& data_directories);

  // By name, alias, alias and release ("vllm 0.11.2": the latest profile that is not younger), or
  // file; a relative file starts in the folder of `where`. Throws ConfigError, located there, with
  // near misses.
  EngineProfile find(const std::string& name, const Location& where) const;

  const std::vector<EngineProfile>& all() const { return profiles_; }  // by name

 private:
  std::vector<EngineProfile> profiles_;
};

// Throws ConfigError where anything is unknown, out of range or without a source.
EngineProfile read_engine_profile(const std::filesystem::path& file);

// The engine's numbers on a GPU.
config::ConfigValue numbers_on(const EngineProfile& profile, const gpu::GpuSpec& gpu);

}  // namespace septet::serving
