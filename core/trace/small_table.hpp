// Small tables with text columns, as plain structs: each becomes one compound dataset, which
// pandas.read_hdf reads in one line. Declared once, next to the struct:
//
//   inline const SmallTable<GraphRecord>& record_table_of(std::type_identity<GraphRecord>) {
//     static const SmallTable<GraphRecord> kTable{
//         "graphs", "graphs of the program, and the shape of each",
//         {{"graph", &GraphRecord::graph, "graph"}, {"shape", &GraphRecord::shape, "its shape"}}};
//     return kTable;
//   }
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/trace/file_content.hpp"

namespace septet::trace {

template <class Record>
struct SmallColumn {
  std::string name;
  std::variant<std::string Record::*, std::int64_t Record::*, double Record::*> member;
  std::string long_name;
  std::string units = "1";  // of numbers
};

template <class Record>
struct SmallTable {
  std::string name;
  std::string long_name;
  std::vector<SmallColumn<Record>> fields;
};

// The table of a record, found by argument-dependent lookup in the record's own namespace.
template <class Record>
const SmallTable<Record>& small_table_of() {
  return record_table_of(std::type_identity<Record>{});
}

template <class Record>
std::vector<CompoundColumn> to_compound(std::span<const Record> rows) {
  std::vector<CompoundColumn> out;
  for (const SmallColumn<Record>& field : small_table_of<Record>().fields) {
    std::visit(
        [&]<class Value>(Value Record::*member) {
          std::vector<Value> values;
          values.reserve(rows.size());
          for (const Record& row : rows) values.push_back(row.*member);
          const bool text = std::is_same_v<Value, std::string>;
          out.push_back({field.name, text ? "" : field.units, std::move(values)});
        },
        field.member);
  }
  return out;
}

// Throws ConfigError naming `file` where a field is missing or of another kind.
template <class Record>
std::vector<Record> from_compound(const std::vector<CompoundColumn>& columns,
                                  const std::string& file) {
  const SmallTable<Record>& table = small_table_of<Record>();
  std::vector<Record> out;
  for (const SmallColumn<Record>& field : table.fields) {
    const auto column = std::ranges::find(columns, field.name, &CompoundColumn::name);
    if (column == columns.end()) {
      throw ConfigError({file}, table.name + " has no " + field.name);
    }
    std::visit(
        [&]<class Value>(Value Record::*member) {
          const auto* values = std::get_if<std::vector<Value>>(&column->values);
          if (values == nullptr) {
            throw ConfigError({file}, table.name + "/" + field.name + " does not hold " +
                                          (std::is_same_v<Value, std::string>    ? "text"
                                           : std::is_same_v<Value, std::int64_t> ? "integers"
                                                                                 : "real numbers"));
          }
          out.resize(values->size());
          for (std::size_t row = 0; row < out.size(); ++row) out[row].*member = (*values)[row];
        },
        field.member);
  }
  return out;
}

// `Writer`: Hdf5Writer; `Reader`: Hdf5Reader.
template <class Record, class Writer>
void write_small_table(Writer& writer, std::span<const Record> rows) {
  const SmallTable<Record>& table = small_table_of<Record>();
  writer.write_compound(table.name, table.long_name, to_compound<Record>(rows));
}

template <class Record, class Reader>
std::vector<Record> read_small_table(const Reader& reader) {
  return from_compound<Record>(reader.compound(small_table_of<Record>().name),
                               reader.path().string());
}

}  // namespace septet::trace
