// One table of a trace file of Septet, checked while it is read: its columns are there, hold whole
// numbers in their range, and are all as long as the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/hdf5_reader.hpp"

namespace septet {

class TraceTable {
 public:
  using Values = std::vector<std::int64_t>;

  // The reader must outlive the table. Throws ConfigError where the file has no such table.
  TraceTable(const Hdf5Reader& file, std::string path, std::string name);

  std::size_t rows() const { return rows_; }

  // Throw ConfigError naming file, column, row, what was got and what is wanted.
  Values column(const std::string& name, std::int64_t low, std::int64_t high) const;
  // Of an enumeration: the position in `names` of what each row says.
  Values choices(const std::string& name, std::span<const std::string_view> names) const;

  [[noreturn]] void refuse(const std::string& column, std::size_t row, const std::string& got,
                           const std::string& wanted) const;

 private:
  const Hdf5Reader& file_;
  std::string path_;
  TableSpec spec_;
  std::size_t rows_ = 0;
};

// A column of whole numbers of a small compound table.
TraceTable::Values compound_column(const std::vector<CompoundColumn>& table,
                                   const std::string& path, const std::string& table_name,
                                   std::string_view column);

}  // namespace septet
