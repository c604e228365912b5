#include "scenarios/config/toml/toml_writer.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace septet::config {
namespace {

bool bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);  // the shortest that reads back to the same number
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool holds_tables(const ConfigValue& value) {
  const auto* array = value.array();
  return array != nullptr && !array->empty() &&
         std::all_of(array->begin(), array->end(),
                     [](const ConfigValue& element) { return element.table() != nullptr; });
}

// A number with its source stays on one line.
bool is_header(const ConfigValue& value) {
  return value.table() != nullptr && value.find("value") == nullptr;
}

void collect_origins(const ConfigValue& value, Origins shown, std::vector<std::string>& out) {
  if (const ConfigValue* number = value.find("value")) return collect_origins(*number, shown, out);
  if (const auto* table = value.table()) {
    for (const ConfigEntry& entry : *table) collect_origins(entry.value, shown, out);
  } else if (const auto* array = value.array()) {
    for (const ConfigValue& element : *array) collect_origins(element, shown, out);
  }
  const bool container = value.table() != nullptr || value.array() != nullptr;
  if (container && !out.empty()) return;  // the parts say where they came from
  const std::string& file = value.where.file;
  const Location line{
      shown == Origins::kNames ? std::filesystem::path(file).filename().string() : file,
      value.where.line};
  if (std::find(out.begin(), out.end(), line.text()) == out.end()) out.push_back(line.text());
}

class Writer {
 public:
  explicit Writer(Origins origins) : origins_(origins) {}

  std::string take() { return std::move(out_); }

  // Plain values first: after a header they would belong to its table.
  void table(const ConfigValue& value, const std::string& path, bool nested_inline) {
    const auto is_plain = [&](const ConfigEntry& entry) {
      return nested_inline || !(is_header(entry.value) || holds_tables(entry.value));
    };
    for (const ConfigEntry& entry : *value.table()) {
      if (is_plain(entry)) assignment(entry);
    }
    for (const ConfigEntry& entry : *value.table()) {
      if (!is_plain(entry)) section(entry, joined(path, entry.key));
    }
  }

 private:
  void section(const ConfigEntry& entry, const std::string& path) {
    if (entry.value.table() != nullptr) {
      out_ += fmt::format("\n[{}]\n", path);
      return table(entry.value, path, false);
    }
    for (const ConfigValue& element : *entry.value.array()) {
      out_ += fmt::format("\n[[{}]]\n", path);
      table(element, path, true);
    }
  }

  void assignment(const ConfigEntry& entry) {
    out_ += toml_key(entry.key) + " = ";
    multi_line(entry.value, 0);
    end_line(entry.value);
  }

  // Lists of tables (steps, nodes) take one line an element, also inside one another.
  void multi_line(const ConfigValue& value, std::size_t indent) {
    if (holds_tables(value)) return list(*value.array(), indent);
    const auto* entries = value.table();
    const bool deep = entries != nullptr &&
                      std::any_of(entries->begin(), entries->end(), [](const ConfigEntry& entry) {
                        return holds_tables(entry.value);
                      });
    if (!deep) {
      out_ += inline_toml(value);
      return;
    }
    out_ += "{ ";
    for (std::size_t i = 0; i < entries->size(); ++i) {
      if (i > 0) out_ += ", ";
      out_ += toml_key((*entries)[i].key) + " = ";
      multi_line((*entries)[i].value, indent);
    }
    out_ += " }";
  }

  void list(const ConfigValue::Array& elements, std::size_t indent) {
    out_ += "[\n";
    for (const ConfigValue& element : elements) {
      out_ += std::string(indent + 2, ' ');
      multi_line(element, indent + 2);
      out_ += ",";
      end_line(element);
    }
    out_ += std::string(indent, ' ') + "]";
  }

  void end_line(const ConfigValue& value) {
    if (origins_ != Origins::kHidden) {
      std::vector<std::string> origins;
      collect_origins(value, origins_, origins);
      out_ += fmt::format("  # {}", fmt::join(origins, ", "));
    }
    out_ += "\n";
  }

  std::string out_;
  Origins origins_;
};

}  // namespace

std::string toml_key(std::string_view key) {
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), bare);
  return plain ? std::string(key) : toml_string(key);
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20 || code == 0x7F) {
      out += fmt::format("\\u{:04X}", code);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string inline_toml(const ConfigValue& value) {
  if (const auto* boolean = std::get_if<bool>(&value.data)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return std::to_string(*integer);
  if (const auto* floating = std::get_if<double>(&value.data)) return number(*floating);
  if (const auto* string = value.string()) return toml_string(*string);
  std::vector<std::string> parts;
  if (const auto* array = value.array()) {
    for (const ConfigValue& element : *array) parts.push_back(inline_toml(element));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  for (const ConfigEntry& entry : *value.table()) {
    parts.push_back(toml_key(entry.key) + " = " + inline_toml(entry.value));
  }
  return parts.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

std::string write_toml(const ConfigValue& root, Origins origins) {
  Writer writer(origins);
  writer.table(root, "", false);
  return writer.take();
}

}  // namespace septet::config
