#include "scenarios/config/fields/field.hpp"

#include <algorithm>

#include "scenarios/config/toml/near_miss.hpp"

namespace septet::config {
namespace {

const char* const kSourcedForm = "{ value = ..., source = \"where the number comes from\" }";

std::vector<std::string> keys_of(const std::vector<const FieldText*>& fields) {
  std::vector<std::string> out;
  for (const FieldText* field : fields) out.push_back(field->key);
  return out;
}

// The value of { value, source }; checks that the source is not empty.
const ConfigValue& sourced(const Reading& reading) {
  for (const ConfigEntry& entry : *reading.value.table()) {
    if (entry.key == "value" || entry.key == "source") continue;
    throw ConfigError::value(entry.key_where, joined(reading.path, entry.key), "an unknown key",
                             kSourcedForm + did_you_mean(entry.key, {"value", "source"}));
  }
  const ConfigValue* value = reading.value.find("value");
  const ConfigValue* source = reading.value.find("source");
  if (value == nullptr || source == nullptr) {
    throw ConfigError::value(reading.value.where, reading.path,
                             value == nullptr ? "no value" : "a number without a source",
                             kSourcedForm);
  }
  if (source->string() == nullptr || source->string()->empty()) {
    Reading{*source, joined(reading.path, "source")}.fail("a text that names the source");
  }
  return *value;
}

}  // namespace

void Place::fail(std::string_view key, const std::string& got, const std::string& wanted) const {
  const ConfigValue* value = table->find(key);
  throw ConfigError::value(value != nullptr ? value->where : where(),
                           value != nullptr ? joined(path, key) : path, got, wanted);
}

const ConfigValue& unwrapped(const Reading& reading, bool numeric, Sources sources) {
  if (!numeric) return reading.value;
  if (reading.value.table() != nullptr) return sourced(reading);
  if (sources == Sources::kRequired) {
    throw ConfigError::value(reading.value.where, reading.path, "a number without a source",
                             kSourcedForm);
  }
  return reading.value;
}

void check_keys(const Reading& reading, const std::vector<const FieldText*>& fields) {
  const ConfigValue::Table* table = reading.value.table();
  if (table == nullptr) reading.fail("a table");
  const std::vector<std::string> keys = keys_of(fields);
  for (const ConfigEntry& entry : *table) {
    if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
    throw ConfigError::value(entry.key_where, joined(reading.path, entry.key), "an unknown key",
                             "one of: " + listed(keys) + did_you_mean(entry.key, keys));
  }
  for (const FieldText* field : fields) {
    if (!field->required || reading.value.find(field->key) != nullptr) continue;
    const std::string range = field->range.empty() ? "" : " " + field->range;
    throw ConfigError::value(reading.value.where, joined(reading.path, field->key), "nothing",
                             field->type + range + " (" + field->description + ")");
  }
}

}  // namespace septet::config
