#include "scenarios/explain/operator_help.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace septet::explain {

std::string flag_of(std::string key) {
  std::ranges::replace(key, '_', '-');
  return key;
}

namespace {

using Keys = std::vector<std::string>;

Keys keys_of(const program::OperatorKind& kind, bool required) {
  Keys out;
  for (const program::ShapeField& field : kind.fields) {
    if (field.required == required) out.push_back(field.key);
    if (field.matrix && !required) out.insert(out.end(), {"rows", "cols"});
  }
  if (!required && kind.load) out.emplace_back("steady");
  if (!required && kind.library) out.emplace_back("library");
  return out;
}

Keys types_of(const program::OperatorKind& kind) {
  Keys out;
  for (const program::DataType type : kind.types) out.emplace_back(text_of(type));
  return out;
}

Keys flags(Keys keys) {
  for (std::string& key : keys) key = "--" + flag_of(key);
  return keys;
}

std::string alias_line(const std::string& of) { return "alias of " + of; }

std::string table_row(const program::OperatorKind& kind, const std::string& name,
                      const std::string& meaning) {
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", name, fmt::join(keys_of(kind, true), ", "),
                     fmt::join(keys_of(kind, false), ", "), fmt::join(types_of(kind), ", "),
                     meaning);
}

}  // namespace

config::WrittenOperator read_asked_operator(const config::Reading& reading) {
  return read_operator(reading, config::OperatorForm::kQuestion);
}

std::string operator_list() {
  std::string out;
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    out += fmt::format("  {}: {}\n      {}", kind.name, kind.meaning,
                       fmt::join(flags(keys_of(kind, true)), " "));
    const Keys optional = keys_of(kind, false);
    if (!optional.empty()) out += fmt::format("\n      [{}]", fmt::join(flags(optional), " "));
    out += fmt::format("\n      --dtype {}\n", fmt::join(types_of(kind), "|"));
    for (const std::string& alias : kind.aliases) {
      out += fmt::format("  {}: {}\n", alias, alias_line(kind.name));
    }
  }
  return out;
}

std::string operator_reference() {
  std::string out =
      "### Operators\n\n| op | needs | may have | dtype | what it is |\n"
      "|---|---|---|---|---|\n";
  for (const program::OperatorKind& kind : program::operator_kinds()) {
    out += table_row(kind, kind.name, kind.meaning);
    for (const std::string& alias : kind.aliases) {
      out += table_row(kind, alias, alias_line(kind.name));
    }
  }
  return out + "\n";
}

}  // namespace septet::explain
