#include "scenarios/config/models/model_library.hpp"

#include <algorithm>
#include <cctype>

#include "scenarios/config/models/hugging_face.hpp"
#include "scenarios/config/models/model_fields.hpp"
#include "scenarios/config/toml/library_files.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::config {
namespace {

namespace fs = std::filesystem;

bool same_name(const std::string& a, const std::string& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool answers_to(const transformer::Model& model, const std::string& name) {
  return same_name(model.name, name) ||
         std::ranges::any_of(model.aliases, [&](const auto& own) { return same_name(own, name); });
}

transformer::Model read_model_file(const fs::path& file) {
  const ConfigValue tree = read_toml_file(file);
  transformer::Model out = read_model({tree, ""}, Sources::kRequired);
  out.name = file.stem().string();
  return out;
}

}  // namespace

transformer::Model read_model(const Reading& reading, Sources sources) {
  transformer::Model out;
  read_fields(reading, model_fields(), sources, out);
  try {
    transformer::check(out);
  } catch (const ConfigError& error) {
    throw ConfigError(reading.value.where, error.what());
  }
  return out;
}

ModelLibrary::ModelLibrary(const std::vector<fs::path>& data_directories) {
  for (const fs::path& file : library_files(data_directories, "models")) {
    models_.push_back(read_model_file(file));
  }
}

transformer::Model ModelLibrary::find(const std::string& name, const Location& where,
                                      const std::string& key) const {
  const fs::path file = fs::path(where.file).parent_path() / name;
  if (name.ends_with(".json")) return read_hugging_face(file);
  if (name.ends_with(".toml")) return read_model_file(file);
  std::vector<std::string> candidates;
  for (const transformer::Model& model : models_) {
    if (answers_to(model, name)) return model;
    candidates.push_back(model.name);
    candidates.insert(candidates.end(), model.aliases.begin(), model.aliases.end());
  }
  throw ConfigError::value(where, key, "\"" + name + "\"",
                           "the name of a model (`septet models` lists them) or a file" +
                               did_you_mean(name, candidates));
}

}  // namespace septet::config
