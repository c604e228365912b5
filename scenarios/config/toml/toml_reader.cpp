#include "scenarios/config/toml/toml_reader.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/files/input.hpp"

namespace septet::config {
namespace {

// Deeper trees would overflow the stack of recursive code, including toml++.
constexpr int kDepthMost = 64;
constexpr std::size_t kKeyPartsMost = 32;

// Finds keys with too many parts before toml++ sees them. A quoted part counts as one.
class KeyScanner {
 public:
  explicit KeyScanner(const std::string& file) : file_(file) {}

  void scan(std::string_view text) {
    for (const char c : text) {
      ++column_;
      if (c == '\n') {
        ++line_;
        column_ = 0;
        skipping_until_ = '\0';
        dots_ = 0;
      } else if (skipping_until_ != '\0') {
        if (c == skipping_until_) skipping_until_ = '\0';
      } else {
        plain(c);
      }
    }
  }

 private:
  void plain(char c) {
    if (c == '"' || c == '\'') skipping_until_ = c;
    if (c == '#') skipping_until_ = '\n';
    if (std::string_view(",=[]{}#").find(c) != std::string_view::npos) dots_ = 0;
    if (c == '.' && ++dots_ >= kKeyPartsMost) {
      throw ConfigError({file_, line_, column_},
                        "got a key of more than " + std::to_string(kKeyPartsMost) +
                            " parts, wanted at most " + std::to_string(kKeyPartsMost));
    }
  }

  const std::string& file_;
  std::int64_t line_ = 1;
  std::int64_t column_ = 0;
  std::size_t dots_ = 0;
  char skipping_until_ = '\0';
};

class TreeReader {
 public:
  explicit TreeReader(const std::string& file) : file_(file) {}

  ConfigValue value(const toml::node& node, int depth = 0) const {
    ConfigValue out;
    out.where = location(node.source());
    if (depth > kDepthMost) {
      throw ConfigError(out.where, "got a value inside more than " + std::to_string(kDepthMost) +
                                       " others, wanted fewer");
    }
    if (const auto* table = node.as_table()) {
      out.data = entries(*table, depth + 1);
    } else if (const auto* array = node.as_array()) {
      out.data = elements(*array, depth + 1);
    } else {
      set_scalar(node, out);
    }
    return out;
  }

  Location location(const toml::source_region& source) const {
    return {file_, source.begin.line, source.begin.column};
  }

 private:
  ConfigValue::Table entries(const toml::table& table, int depth) const {
    ConfigValue::Table out;
    for (const auto& [key, node] : table) {
      out.push_back({std::string(key.str()), location(key.source()), value(node, depth)});
    }
    std::stable_sort(out.begin(), out.end(), [](const ConfigEntry& a, const ConfigEntry& b) {
      return std::pair(a.key_where.line, a.key_where.column) <
             std::pair(b.key_where.line, b.key_where.column);
    });
    return out;
  }

  ConfigValue::Array elements(const toml::array& array, int depth) const {
    ConfigValue::Array out;
    for (const toml::node& node : array) out.push_back(value(node, depth));
    return out;
  }

  static void set_scalar(const toml::node& node, ConfigValue& out) {
    if (const auto* boolean = node.as_boolean()) {
      out.data = boolean->get();
    } else if (const auto* integer = node.as_integer()) {
      out.data = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
      out.data = number->get();
    } else if (const auto* string = node.as_string()) {
      out.data = string->get();
    } else {
      throw ConfigError(out.where, "got a date or time, wanted a number, a string, true or false");
    }
  }

  const std::string& file_;
};

}  // namespace

ConfigValue read_toml(std::string_view text, const std::string& file) {
  KeyScanner(file).scan(text);
  const TreeReader reader(file);
  try {
    const toml::table parsed = toml::parse(text, std::string_view{file});
    return reader.value(parsed);
  } catch (const toml::parse_error& error) {
    throw ConfigError(reader.location(error.source()), std::string(error.description()));
  }
}

ConfigValue read_toml_file(const std::filesystem::path& file) {
  return read_toml(files::read_text(file), file.string());
}

}  // namespace septet::config
