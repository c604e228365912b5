// Layers of a serving scenario: profiles of the engine, the GPU and the host < file < `--set` < a
// what-if's `set`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/config/configuration.hpp"
#include "scenarios/config/models/model_library.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/serving/engine_library.hpp"
#include "scenarios/serving/price_list.hpp"
#include "scenarios/serving/serving_text.hpp"

namespace septet::serving {

// What a scenario may name.
struct Libraries {
  explicit Libraries(const std::vector<std::filesystem::path>& data_directories)
      : hardware(data_directories),
        models(data_directories),
        engines(data_directories),
        prices(data_directories) {}

  config::ProfileLibrary hardware;
  config::ModelLibrary models;
  EngineLibrary engines;
  PriceLibrary prices;
};

struct ServingConfiguration {
  config::ConfigValue written;     // the file with settings laid over
  config::Configuration hardware;  // of one replica
  std::string engine_name;
  std::filesystem::path engine_file;
  std::shared_ptr<const config::ConfigValue> resolved;  // with the profiles beneath
  ServingText text;                                     // what `resolved` says; refers to it
};

// Whether a file is a serving scenario.
bool is_serving(const config::ConfigValue& tree);

// `settings`: the "key=value" of each --set, in their order. Throws ConfigError.
ServingConfiguration resolve_serving(const config::ConfigValue& file,
                                     const std::vector<std::string>& settings,
                                     const Libraries& libraries);

// The same with a what-if's values laid over.
ServingConfiguration vary(const ServingConfiguration& base, const config::ConfigValue& set,
                          const Libraries& libraries);

// The prefill replicas of a disaggregated scenario, as a scenario of their own: with the values of
// disaggregation.prefill laid over, and nothing disaggregated.
ServingConfiguration prefill_of(const ServingConfiguration& base, const Libraries& libraries);

// As TOML, with the origin of every value.
std::string resolved_toml(const ServingConfiguration& configuration,
                          config::Origins origins = config::Origins::kShown);

}  // namespace septet::serving
