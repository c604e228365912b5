#include "scenarios/serving/serving_configuration.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/setting.hpp"

namespace septet::serving {
namespace {

using config::ConfigEntry;
using config::ConfigValue;

constexpr std::array<std::string_view, 5> kHardwareTables = {"hardware", "gpu", "host", "network",
                                                             "interconnect"};

ServingText read_text(const ConfigValue& tree) {
  ServingText out;
  const std::string root;
  config::read_fields({tree, root}, serving_fields(), config::Sources::kAllowed, out);
  return out;
}

ConfigValue under(const std::string& key, const ConfigValue& value) {
  return {ConfigValue::Table{{key, value.where, value}}, value.where};
}

// The tables of the hardware, for one replica.
ConfigValue hardware_tree(const ConfigValue& written, const ServingText& text) {
  if (const ConfigValue* gpus = text.hardware->find("gpus")) {
    throw ConfigError::value(gpus->where, "hardware.gpus", "a number together with [serving]",
                             "serving.tensor_parallel_size and the like, and serving.replicas");
  }
  ConfigValue out{ConfigValue::Table{}, written.where};
  for (const ConfigEntry& entry : *written.table()) {
    if (std::ranges::find(kHardwareTables, entry.key) != kHardwareTables.end()) {
      out.table()->push_back(entry);
    }
  }
  const ServingTable& serving = text.serving;
  const std::int64_t gpus = std::int64_t{serving.tensor_parallel_size} *
                            serving.pipeline_parallel_size * serving.data_parallel_size;
  const ConfigValue count{gpus, serving.place.where()};
  config::lay_over(out, under("hardware", under("gpus", count)));
  return out;
}

ServingConfiguration resolved(ConfigValue written, const Libraries& libraries) {
  const ServingText first = read_text(written);
  ServingConfiguration out;
  out.hardware = config::resolve(hardware_tree(written, first), {}, libraries.hardware);
  const config::Hardware hardware = config::read_hardware(out.hardware);
  const Location& where = first.serving.place.table->find("engine")->where;
  const EngineProfile engine = libraries.engines.find(first.serving.engine, where);
  out.engine_name = engine.name;
  out.engine_file = engine.file;
  ConfigValue tree = under("engine", numbers_on(engine, hardware.gpu));
  tree.where = written.where;
  config::lay_over(tree, written);
  // What people look for comes first.
  const auto comes_first = [](const ConfigEntry& entry) {
    return entry.key != "engine" && entry.key != "gpu" && entry.key != "host";
  };
  std::stable_partition(tree.table()->begin(), tree.table()->end(), comes_first);
  out.written = std::move(written);
  out.resolved = std::make_shared<const ConfigValue>(std::move(tree));
  out.text = read_text(*out.resolved);
  return out;
}

}  // namespace

bool is_serving(const ConfigValue& tree) { return tree.find("serving") != nullptr; }

ServingConfiguration resolve_serving(const ConfigValue& file,
                                     const std::vector<std::string>& settings,
                                     const Libraries& libraries) {
  ConfigValue written = file;
  for (const std::string& setting : settings) {
    config::lay_over(written, config::read_setting(setting, "--set"));
  }
  return resolved(std::move(written), libraries);
}

ServingConfiguration vary(const ServingConfiguration& base, const ConfigValue& set,
                          const Libraries& libraries) {
  ConfigValue written = base.written;
  config::lay_over(written, config::undotted(set));
  return resolved(std::move(written), libraries);
}

ServingConfiguration prefill_of(const ServingConfiguration& base, const Libraries& libraries) {
  ConfigValue written = base.written;
  std::erase_if(*written.table(), [](const ConfigEntry& entry) {
    return entry.key == "disaggregation" || entry.key == "slo" || entry.key == "speculation";
  });
  const ConfigValue* change = base.text.disaggregation.prefill;
  if (change != nullptr) config::lay_over(written, config::undotted(*change));
  return resolved(std::move(written), libraries);
}

std::string resolved_toml(const ServingConfiguration& configuration, config::Origins origins) {
  ConfigValue tree = *configuration.resolved;
  for (const char* key : {"gpu", "host"}) {
    ConfigValue* own = tree.find(key);
    const ConfigValue* all = configuration.hardware.resolved.find(key);
    if (own != nullptr) *own = *all;
    if (own == nullptr) tree.table()->push_back({key, all->where, *all});
  }
  return fmt::format(
             "# Resolved configuration: every value with its origin.\n"
             "# Engine: {}. GPU profile: {}. Host profile: {}.\n",
             configuration.engine_name, configuration.hardware.gpu.name,
             configuration.hardware.host.name) +
         config::write_toml(tree, origins);
}

}  // namespace septet::serving
