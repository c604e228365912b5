#include "scenarios/config/toml/setting.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_reader.hpp"

namespace septet::config {
namespace {

std::vector<std::string> element_names(const ConfigValue::Array& array) {
  std::vector<std::string> out;
  for (const ConfigValue& element : array) {
    const ConfigValue* name = element.find("name");
    if (name != nullptr && name->string() != nullptr) out.push_back(*name->string());
  }
  return out;
}

// By its name, or by its place.
template <class List>
auto element(List& array, const std::string& key) -> decltype(&array.front()) {
  for (auto& candidate : array) {
    const ConfigValue* name = candidate.find("name");
    if (name != nullptr && name->string() != nullptr && *name->string() == key) return &candidate;
  }
  std::size_t index = 0;
  const char* end = key.data() + key.size();
  const auto [stop, error] = std::from_chars(key.data(), end, index);
  const bool found = error == std::errc() && stop == end && index < array.size();
  return found ? &array[index] : nullptr;
}

// Tables are merged; a number with its source is one value.
bool is_layer(const ConfigValue& value) {
  return value.table() != nullptr && value.find("value") == nullptr;
}

void lay_over_at(ConfigValue& base, const ConfigValue& over, const std::string& path);

void lay_entry_over_list(ConfigValue::Array& list, const ConfigEntry& entry,
                         const std::string& path) {
  ConfigValue* target = element(list, entry.key);
  if (target == nullptr) {
    const std::vector<std::string> names = element_names(list);
    throw ConfigError::value(entry.key_where, joined(path, entry.key), "no such name",
                             "the name of an element (" + listed(names) + ") or an index below " +
                                 std::to_string(list.size()) + did_you_mean(entry.key, names));
  }
  lay_over_at(*target, entry.value, joined(path, entry.key));
}

void lay_entry_over_table(ConfigValue& base, const ConfigEntry& entry, const std::string& path) {
  if (ConfigValue* target = base.find(entry.key)) {
    return lay_over_at(*target, entry.value, joined(path, entry.key));
  }
  base.table()->push_back(entry);
}

void lay_over_at(ConfigValue& base, const ConfigValue& over, const std::string& path) {
  if (!is_layer(over)) {
    base = over;
    return;
  }
  if (ConfigValue::Array* list = base.array()) {
    for (const ConfigEntry& entry : *over.table()) lay_entry_over_list(*list, entry, path);
  } else if (is_layer(base)) {
    for (const ConfigEntry& entry : *over.table()) lay_entry_over_table(base, entry, path);
  } else {
    throw ConfigError::value(over.where, path, "a key below it",
                             "the value of " + path + " itself");
  }
}

// The tree {a = {b = value}} of the path a.b.
ConfigValue nested(const std::vector<std::string>& path, std::size_t from, const Location& where,
                   const ConfigValue& value) {
  if (from == path.size()) return value;
  ConfigValue out{ConfigValue::Table{}, where};
  out.table()->push_back({path[from], where, nested(path, from + 1, where, value)});
  return out;
}

std::vector<std::string> segments(const std::string& dotted, const Location& where) {
  constexpr std::ptrdiff_t kDotsMost = 31;  // as many as a TOML key may have
  if (std::count(dotted.begin(), dotted.end(), '.') > kDotsMost) {
    throw ConfigError(where, "got a key of more than 32 parts, wanted at most 32");
  }
  std::vector<std::string> out(1);
  for (const char c : dotted) {
    if (c == '.') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

void move_origin(ConfigValue& value, const Location& where) {
  value.where = where;
  if (ConfigValue::Table* table = value.table()) {
    for (ConfigEntry& entry : *table) {
      entry.key_where = where;
      move_origin(entry.value, where);
    }
  }
  if (ConfigValue::Array* array = value.array()) {
    for (ConfigValue& one : *array) move_origin(one, where);
  }
}

// The one value of a path of single keys.
ConfigValue* leaf(ConfigValue& tree) {
  ConfigValue* at = &tree;
  while (at->table() != nullptr && at->table()->size() == 1) at = &at->table()->front().value;
  return at;
}

}  // namespace

const ConfigValue* find_dotted(const ConfigValue& tree, const std::string& key) {
  const ConfigValue* at = &tree;
  std::size_t begin = 0;
  while (at != nullptr && begin <= key.size()) {
    const std::size_t dot = std::min(key.find('.', begin), key.size());
    const std::string part = key.substr(begin, dot - begin);
    at = at->array() != nullptr ? element(*at->array(), part) : at->find(part);
    begin = dot + 1;
  }
  return at;
}

void lay_over(ConfigValue& base, const ConfigValue& over) { lay_over_at(base, over, ""); }

ConfigValue read_setting(const std::string& setting, const std::string& origin) {
  const Location where{origin};
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || setting.find('\n') != std::string::npos) {
    throw ConfigError::value(where, setting, "no '='", "key=value on one line");
  }
  const std::string key = setting.substr(0, equals);
  const std::string text = setting.substr(equals + 1);
  ConfigValue tree;
  try {
    tree = read_toml(key + " = 0", origin);
  } catch (const ConfigError&) {
    throw ConfigError::value(where, "'" + key + "'", "no key",
                             "a dotted key such as kernel.spin.block_time");
  }
  ConfigValue* target = leaf(tree);
  try {
    target->data = read_toml("value = " + text, origin).table()->front().value.data;
  } catch (const ConfigError&) {
    target->data = text;
  }
  move_origin(tree, where);
  return tree;
}

ConfigValue undotted(const ConfigValue& table) {
  ConfigValue out;
  out.where = table.where;
  out.data = ConfigValue::Table{};
  for (const ConfigEntry& entry : *table.table()) {
    const ConfigValue value = is_layer(entry.value) ? undotted(entry.value) : entry.value;
    lay_over(out, nested(segments(entry.key, entry.key_where), 0, entry.key_where, value));
  }
  return out;
}

}  // namespace septet::config
