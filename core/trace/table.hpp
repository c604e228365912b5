// Trace tables: named, typed columns with units, and strings as dictionary codes. Tables of plain
// structs are declared with record.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/row.hpp"

namespace septet::trace {

enum class ColumnType : std::uint8_t { kInt64, kInt32, kUint8, kFloat64, kFloat32 };

// In bytes.
std::size_t size_of(ColumnType type);

struct ColumnSpec {
  std::string name;
  ColumnType type = ColumnType::kInt64;
  std::string units;      // short symbol ("ps", "B", "1"); never "seconds", which xarray converts
  std::string long_name;  // a few words for people
  std::string dictionary = {};  // where codes are looked up ("kernel"); empty for plain numbers
  std::vector<std::string> flags = {};  // names of the values 0, 1, ... of an enumeration
  std::size_t offset = 0;               // of the value in a row, in bytes
  std::int64_t least = std::numeric_limits<std::int64_t>::min();  // of whole numbers that are valid
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::optional<std::int64_t> absent = {};  // the value of rows that have none
  std::string former_name = {};             // in older files, which are refused
  // The same of values of an enumeration: {older name, name now}.
  std::vector<std::pair<std::string, std::string>> former_flags = {};

  // For declarations: column(...).code_of("kernel").
  ColumnSpec code_of(std::string name_of_dictionary) &&;
  ColumnSpec in(std::string symbol) &&;
  ColumnSpec range(std::int64_t from, std::int64_t to) &&;
  ColumnSpec absent_as(std::int64_t value, const std::string& where) &&;
  ColumnSpec formerly(std::string older_name) &&;
  ColumnSpec formerly(std::string older_flag, std::string flag) &&;
};

struct TableSpec {
  std::string name;       // HDF5 group, for example "kernels"
  std::string dimension;  // its dimension scale, for example "kernel_run"
  std::vector<ColumnSpec> columns;
  std::size_t row_size = 0;    // bytes, a multiple of kRowAlignment
  std::string long_name = {};  // when a row is written
};

// The table with its values laid out one after the other, as no struct says where they are.
TableSpec packed(TableSpec spec);

// All tables of a run. Ids count from 0 in the order of `add`.
class TraceSchema {
 public:
  TableId add(TableSpec spec);
  const std::vector<TableSpec>& tables() const { return tables_; }

 private:
  std::vector<TableSpec> tables_;
};

// Strings to codes and back; codes count from 0 in order of first use. Not shared between threads:
// dictionaries are filled before a run starts.
class Dictionary {
 public:
  std::int32_t code(std::string_view text);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::int32_t> codes_;
};

}  // namespace septet::trace
