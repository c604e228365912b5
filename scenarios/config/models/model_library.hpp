// The models that Septet knows: data/models, one file each, whose name is the model's.
//
// They are looked for in DIRECTORY/models of the data directories (scenarios/config/hardware); the
// first of a name wins. A model may also be a file of one's own: one that ends in ".toml" is read
// as those are, one that ends in ".json" as the config.json of a Hugging Face repository.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "models/workload/transformer/model.hpp"
#include "scenarios/config/fields/field.hpp"

namespace septet::config {

// A table that describes a model. `sources`: whether its numbers have to say where they come from.
transformer::Model read_model(const Reading& reading, Sources sources);

class ModelLibrary {
 public:
  explicit ModelLibrary(const std::vector<std::filesystem::path>& data_directories);

  // By name, alias or file; a relative file starts in the folder of the file that names it,
  // `where`. Upper and lower case are alike. Throws ConfigError, located at `where`, that lists the
  // near misses.
  transformer::Model find(const std::string& name, const Location& where,
                          const std::string& key) const;

  const std::vector<transformer::Model>& all() const { return models_; }  // by name

 private:
  std::vector<transformer::Model> models_;
};

}  // namespace septet::config
