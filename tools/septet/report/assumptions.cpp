#include "tools/septet/report/assumptions.hpp"

#include <algorithm>
#include <sstream>

#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::command {
namespace {

constexpr std::string_view kOrigin = "  # ";

std::string table_of(const std::string& line) {
  const std::size_t begin = line.find_first_not_of('[');
  const std::size_t end = line.find(']');
  return line.substr(begin, end - begin);
}

Assumption assumption_of(const std::string& table, const std::string& line, std::size_t comment) {
  Assumption out;
  out.origin = line.substr(comment + kOrigin.size());
  const std::string text = line.substr(0, comment);
  const config::ConfigValue tree = config::read_toml(text, "the resolved configuration");
  const config::ConfigEntry& entry = tree.table()->front();
  out.key = table.empty() ? entry.key : table + "." + entry.key;
  const config::ConfigValue* value = entry.value.find("value");
  const config::ConfigValue* source = entry.value.find("source");
  const config::ConfigValue& plain = value != nullptr ? *value : entry.value;
  out.value = config::inline_toml(plain);
  if (plain.string() != nullptr) out.text = *plain.string();
  if (value != nullptr && source != nullptr && source->string() != nullptr) {
    out.source = *source->string();
  }
  return out;
}

}  // namespace

std::vector<Assumption> assumptions_of(const std::string& scenario_toml) {
  std::vector<Assumption> out;
  std::istringstream lines(scenario_toml);
  std::string table;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      table = table_of(line);
      continue;
    }
    const std::size_t comment = line.rfind(kOrigin);
    if (comment == std::string::npos || line.starts_with('#')) continue;
    if (line.find('=') > comment || line.starts_with(' ')) continue;  // within a longer value
    out.push_back(assumption_of(table, line, comment));
  }
  return out;
}

std::string text_value(const std::vector<Assumption>& all, const std::string& key) {
  const auto found = std::ranges::find(all, key, &Assumption::key);
  return found == all.end() ? "" : found->text;
}

}  // namespace septet::command
