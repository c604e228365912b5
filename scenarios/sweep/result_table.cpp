#include "scenarios/sweep/result_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/files/csv_field.hpp"
#include "core/trace/hdf5_writer.hpp"
#include "scenarios/config/toml/near_miss.hpp"
#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

const ConfigValue* value_at(const Point& point, const std::string& key) {
  const auto found = std::ranges::find(point.settings, key, &Setting::first);
  return found == point.settings.end() ? nullptr : &found->second;
}

std::string text_at(const Point& point, const std::string& key) {
  const ConfigValue* value = value_at(point, key);
  if (value == nullptr) return "";
  return value->string() != nullptr ? *value->string() : config::inline_toml(*value);
}

std::optional<double> number_at(const Point& point, const std::string& key) {
  const ConfigValue* value = value_at(point, key);
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&value->data)) {
    return static_cast<double>(*whole);
  }
  if (const auto* real = std::get_if<double>(&value->data)) return *real;
  return std::nullopt;
}

std::string cell(const OutputValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return files::csv_field(*text);
  const double number = std::get<double>(value);
  return std::isnan(number) ? "" : fmt::format("{}", number);
}

// A name that HDF5, pandas and PyTables take.
std::string as_column(const std::string& key) {
  std::string out = key;
  for (char& c : out) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (!plain) c = '_';
  }
  return out;
}

// The columns of the HDF5 table and what stands in them.
class Columns {
 public:
  explicit Columns(const ResultTable& table) : table_(table) {
    add_text("point", "name of the point, by what was simulated",
             [](const ResultTable::Row& row) { return row.point->name; });
    add_text("status", "done, infeasible, saturated, failed or timed_out",
             [](const ResultTable::Row& row) { return std::string(text_of(row.result.status)); });
    for (const std::string& key : table.keys) add_key(key);
    for (std::size_t i = 0; i < table.outputs.size(); ++i) add_output(i);
    add_text("message", "why it is not done",
             [](const ResultTable::Row& row) { return row.result.message; });
  }

  trace::TraceSchema schema() const {
    trace::TraceSchema out;
    out.add(spec());
    return out;
  }

  void write(trace::Hdf5Writer& writer) const {
    const trace::TableSpec packed_spec = spec();
    for (const Text& text : texts_) writer.set_dictionary(text.name, text.dictionary.texts());
    std::vector<std::byte> bytes(packed_spec.row_size);
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        std::byte* at = &bytes[packed_spec.columns[c].offset];
        if (columns_[c].code) {
          std::memcpy(at, &texts_[*columns_[c].code].codes[r], sizeof(std::int32_t));
        } else {
          std::memcpy(at, &columns_[c].numbers[r], sizeof(double));
        }
      }
      writer.consume(0, bytes);
    }
  }

 private:
  struct Column {
    trace::ColumnSpec spec;
    std::vector<double> numbers;
    std::optional<std::size_t> code;  // of texts_
  };
  struct Text {
    std::string name;
    trace::Dictionary dictionary;
    std::vector<std::int32_t> codes;
  };

  trace::TableSpec spec() const {
    trace::TableSpec out{"points", "point_run", {}, 0, "a point of the sweep"};
    for (const Column& column : columns_) out.columns.push_back(column.spec);
    return trace::packed(std::move(out));
  }

  template <class TextOf>
  void add_text(const std::string& name, const std::string& meaning, TextOf text_of_row) {
    Text text{name, {}, {}};
    for (const ResultTable::Row& row : table_.rows) {
      text.codes.push_back(text.dictionary.code(text_of_row(row)));
    }
    columns_.push_back({trace::ColumnSpec{name, trace::ColumnType::kInt32, "1", meaning, name},
                        {},
                        texts_.size()});
    texts_.push_back(std::move(text));
  }

  void add_key(const std::string& key) {
    const auto is_number = [&](const ResultTable::Row& row) {
      return value_at(*row.point, key) == nullptr || number_at(*row.point, key).has_value();
    };
    const std::string name = as_column(key);
    if (!std::ranges::all_of(table_.rows, is_number)) {
      add_text(name, key, [&](const ResultTable::Row& row) { return text_at(*row.point, key); });
      return;
    }
    Column& column = columns_.emplace_back();
    column.spec = {name, trace::ColumnType::kFloat64, "1", key};
    for (const ResultTable::Row& row : table_.rows) {
      column.numbers.push_back(
          number_at(*row.point, key).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }

  void add_output(std::size_t index) {
    const Output& output = table_.outputs[index];
    const auto known = [&](const ResultTable::Row& row) {
      return index < row.result.values.size() ? &row.result.values[index] : nullptr;
    };
    if (output.is_text()) {
      add_text(output.name, output.meaning, [&](const ResultTable::Row& row) {
        return known(row) == nullptr ? std::string() : std::get<std::string>(*known(row));
      });
      return;
    }
    Column& column = columns_.emplace_back();
    column.spec = {output.name, trace::ColumnType::kFloat64, output.units, output.meaning};
    for (const ResultTable::Row& row : table_.rows) {
      column.numbers.push_back(known(row) == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                                     : std::get<double>(*known(row)));
    }
  }

  const ResultTable& table_;
  std::vector<Column> columns_;
  std::vector<Text> texts_;
};

// Where each wanted output is among all.
std::vector<std::size_t> places_of(const std::vector<Output>& outputs,
                                   const std::vector<std::string>& wanted, const Location& where) {
  std::vector<std::size_t> out;
  std::vector<std::string> names;
  for (const Output& output : outputs) names.push_back(output.name);
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      throw ConfigError::value(
          where, "sweep.outputs", "\"" + name + "\"",
          "some of " + config::listed(names) + config::did_you_mean(name, names));
    }
    out.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  if (wanted.empty()) {
    for (std::size_t i = 0; i < outputs.size(); ++i) out.push_back(i);
  }
  return out;
}

}  // namespace

ResultTable table_of(const Points& points, const Results& results,
                     const std::vector<Output>& outputs, const std::vector<std::string>& wanted,
                     const Location& where) {
  const std::vector<std::size_t> places = places_of(outputs, wanted, where);
  ResultTable out{points.keys, {}, {}};
  for (const std::size_t place : places) out.outputs.push_back(outputs[place]);
  for (const Point& point : points.all) {
    const auto known = results.find(point.name);
    if (known == results.end()) continue;
    ResultTable::Row row{&point, {known->second.status, {}, known->second.message}};
    if (!known->second.values.empty()) {
      for (const std::size_t place : places) {
        row.result.values.push_back(known->second.values[place]);
      }
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::string csv_of(const ResultTable& table) {
  std::string out = "point,status";
  for (const std::string& key : table.keys) out += "," + files::csv_field(key);
  for (const Output& output : table.outputs) out += "," + files::csv_field(output.name);
  out += ",message\n";
  for (const ResultTable::Row& row : table.rows) {
    out += row.point->name + "," + std::string(text_of(row.result.status));
    for (const std::string& key : table.keys)
      out += "," + files::csv_field(text_at(*row.point, key));
    for (std::size_t i = 0; i < table.outputs.size(); ++i) {
      out += ",";
      if (i < row.result.values.size()) out += cell(row.result.values[i]);
    }
    out += "," + files::csv_field(row.result.message) + "\n";
  }
  return out;
}

void write_hdf5(const ResultTable& table, const std::filesystem::path& path,
                const std::string& tool_version, const std::string& sweep,
                const std::string& scenario_toml) {
  const Columns columns(table);
  trace::Hdf5Writer writer(path, columns.schema(), {tool_version});
  columns.write(writer);
  writer.set_attribute("sweep", sweep);
  writer.set_meta("scenario_toml", scenario_toml);
  writer.finish();
}

}  // namespace septet::sweep
