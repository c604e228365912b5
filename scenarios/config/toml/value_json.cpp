#include "scenarios/config/toml/value_json.hpp"

#include <nlohmann/json.hpp>

namespace septet::config {

nlohmann::ordered_json json_of(const ConfigValue& value) {
  if (const auto* boolean = std::get_if<bool>(&value.data)) return *boolean;
  if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return *integer;
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  if (value.string() != nullptr) return *value.string();
  if (value.table() != nullptr) {
    auto out = nlohmann::ordered_json::object();
    for (const ConfigEntry& entry : *value.table()) out[entry.key] = json_of(entry.value);
    return out;
  }
  auto out = nlohmann::ordered_json::array();
  for (const ConfigValue& element : *value.array()) out.push_back(json_of(element));
  return out;
}

}  // namespace septet::config
