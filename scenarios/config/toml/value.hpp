// A configuration as written: a tree of values, each with its location.
//
// Layers (a shipped profile, a scenario file, `--set`) are merged in this form, so that every value
// of the merged tree still names its origin. Tables keep the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.hpp"

namespace septet::config {

struct ConfigEntry;

struct ConfigValue {
  using Array = std::vector<ConfigValue>;
  using Table = std::vector<ConfigEntry>;

  std::variant<bool, std::int64_t, double, std::string, Array, Table> data;
  Location where;

  const Table* table() const { return std::get_if<Table>(&data); }
  Table* table() { return std::get_if<Table>(&data); }
  const Array* array() const { return std::get_if<Array>(&data); }
  Array* array() { return std::get_if<Array>(&data); }
  const std::string* string() const { return std::get_if<std::string>(&data); }

  // The entry of a table; null where this is no table or has no such key.
  const ConfigValue* find(std::string_view key) const;
  ConfigValue* find(std::string_view key);
};

struct ConfigEntry {
  std::string key;
  Location key_where;
  ConfigValue value;
};

// The same keys with the same values, wherever they came from; the order of keys doesn't matter.
bool same_values(const ConfigValue& a, const ConfigValue& b);

// What an error message says that it got: "the integer 3", "\"4.8\"", "a table", ...
std::string described(const ConfigValue& value);

// "path.key", with quotes around a key that TOML does not take bare.
std::string joined(const std::string& path, std::string_view key);

// How an element of an array is called in a path: by its `name` where it has one, else by its
// index.
std::string element_path(const std::string& path, const ConfigValue& element, std::size_t index);

}  // namespace septet::config
