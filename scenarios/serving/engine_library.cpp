#include "scenarios/serving/engine_library.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/library_files.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/setting.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/serving/engine_release.hpp"
#include "scenarios/serving/serving_text.hpp"

namespace septet::serving {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClasses = "gpu_class";

struct ClassText {
  config::Place place;
  Bytes least_memory{};
  std::vector<std::string> except;
  const config::ConfigValue* set = nullptr;
};

const config::Fields<ClassText>& class_fields() {
  using S = ClassText;
  static const config::Fields<S> rows = {
      config::ranged("least_memory", &S::least_memory, "of the GPU", config::at_least(Bytes(0))),
      config::field("except", &S::except, "GPU profiles to which this does not apply"),
      required(config::unread("set", &S::set, "fields of the engine")),
  };
  return rows;
}

ClassText read_class(const config::ConfigValue& value, std::size_t index) {
  ClassText out;
  const std::string path = config::element_path(kClasses, value, index);
  config::read_fields({value, path}, class_fields(), config::Sources::kRequired, out);
  EngineText checked;
  const std::string inner = config::joined(path, "set");
  config::read_fields({*out.set, inner}, engine_fields(), config::Sources::kRequired, checked);
  return out;
}

bool meant_for(const ClassText& text, const gpu::GpuSpec& gpu) {
  const auto named = [&](const std::string& name) { return config::answers_to(gpu, name); };
  return gpu.memory >= text.least_memory && std::ranges::none_of(text.except, named);
}

}  // namespace

EngineProfile read_engine_profile(const fs::path& file) {
  EngineProfile out;
  out.name = file.stem().string();
  out.file = file;
  out.numbers = config::read_toml_file(file);
  config::ConfigValue::Table& table = *out.numbers.table();
  if (config::ConfigValue* classes = out.numbers.find(kClasses)) {
    if (classes->array() == nullptr) config::Reading{*classes, kClasses}.fail("a list of tables");
    out.classes = *classes->array();
    std::erase_if(table, [](const config::ConfigEntry& entry) { return entry.key == kClasses; });
  }
  EngineText text;
  const std::string root;
  config::read_fields({out.numbers, root}, engine_fields(), config::Sources::kRequired, text);
  for (std::size_t i = 0; i < out.classes.size(); ++i) read_class(out.classes[i], i);
  out.aliases = text.aliases;
  out.since = text.since;
  out.description = text.description;
  std::erase_if(table, [](const config::ConfigEntry& entry) {
    return entry.key == "aliases" || entry.key == "description" || entry.key == "since";
  });
  return out;
}

EngineLibrary::EngineLibrary(const std::vector<fs::path>& data_directories) {
  for (const fs::path& file : config::library_files(data_directories, "engines")) {
    profiles_.push_back(read_engine_profile(file));
  }
  std::ranges::sort(profiles_, {}, &EngineProfile::name);
}

EngineProfile EngineLibrary::find(const std::string& name, const Location& where) const {
  if (name.ends_with(".toml")) {
    return read_engine_profile(fs::path(where.file).parent_path() / name);
  }
  std::vector<std::string> candidates;
  for (const EngineProfile& profile : profiles_) {
    if (profile.name == name) return profile;
    candidates.push_back(profile.name);
    candidates.insert(candidates.end(), profile.aliases.begin(), profile.aliases.end());
  }
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  if (const EngineProfile* profile = profile_of_release(profiles_, name)) return *profile;
  throw ConfigError::value(where, "serving.engine", "\"" + name + "\"",
                           "the name of an engine (" + config::listed(candidates) +
                               ") or a .toml file" + config::did_you_mean(name, candidates));
}

config::ConfigValue numbers_on(const EngineProfile& profile, const gpu::GpuSpec& gpu) {
  config::ConfigValue out = profile.numbers;
  for (std::size_t i = 0; i < profile.classes.size(); ++i) {
    const ClassText text = read_class(profile.classes[i], i);
    if (!meant_for(text, gpu)) continue;
    config::lay_over(out, *text.set);
    break;
  }
  return out;
}

}  // namespace septet::serving
