// What a trace table is: named, typed columns with units, and strings by dictionary code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/row.hpp"

namespace septet {

enum class ColumnType : std::uint8_t { kInt64, kInt32, kUint8, kFloat64, kFloat32 };

struct ColumnSpec {
  std::string name;
  ColumnType type = ColumnType::kInt64;
  std::string units;      // short symbol ("ps", "B", "1"); never "seconds", which xarray converts
  std::string long_name;  // a few words for people
  std::string dictionary = {};  // where codes are looked up ("kernel"); empty for plain numbers
  std::vector<std::string> flags = {};  // names of the values 0, 1, ... of an enumeration
};

struct TableSpec {
  std::string name;       // HDF5 group, for example "kernels"
  std::string dimension;  // its dimension scale, for example "kernel_run"
  std::vector<ColumnSpec> columns;
};

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

}  // namespace septet
