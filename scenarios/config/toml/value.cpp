#include "scenarios/config/toml/value.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::config {
namespace {

bool same_tables(const ConfigValue& a, const ConfigValue& b) {
  if (a.table()->size() != b.table()->size()) return false;
  return std::all_of(a.table()->begin(), a.table()->end(), [&b](const ConfigEntry& entry) {
    const ConfigValue* other = b.find(entry.key);
    return other != nullptr && same_values(entry.value, *other);
  });
}

}  // namespace

const ConfigValue* ConfigValue::find(std::string_view key) const {
  const Table* entries = table();
  if (entries == nullptr) return nullptr;
  const auto at = std::find_if(entries->begin(), entries->end(),
                               [key](const ConfigEntry& entry) { return entry.key == key; });
  return at == entries->end() ? nullptr : &at->value;
}

ConfigValue* ConfigValue::find(std::string_view key) {
  return const_cast<ConfigValue*>(std::as_const(*this).find(key));
}

bool same_values(const ConfigValue& a, const ConfigValue& b) {
  if (a.data.index() != b.data.index()) return false;
  if (a.table() != nullptr) return same_tables(a, b);
  if (a.array() != nullptr) {
    return std::equal(a.array()->begin(), a.array()->end(), b.array()->begin(), b.array()->end(),
                      same_values);
  }
  // Compared as they are written, so that a NaN equals itself.
  return inline_toml(a) == inline_toml(b);
}

std::string described(const ConfigValue& value) {
  if (value.table() != nullptr) return "a table";
  if (value.array() != nullptr) return "a list";
  std::string text = inline_toml(value);
  if (std::holds_alternative<std::int64_t>(value.data)) return "the integer " + text;
  if (std::holds_alternative<double>(value.data)) return "the number " + text;
  return text;
}

std::string joined(const std::string& path, std::string_view key) {
  return path.empty() ? toml_key(key) : path + "." + toml_key(key);
}

std::string element_path(const std::string& path, const ConfigValue& element, std::size_t index) {
  const ConfigValue* name = element.find("name");
  const bool named = name != nullptr && name->string() != nullptr && !name->string()->empty();
  return joined(path, named ? *name->string() : std::to_string(index));
}

}  // namespace septet::config
