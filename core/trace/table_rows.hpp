// The rows of one table in memory, where a run left them or as a file holds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/trace/hdf5_reader.hpp"
#include "core/trace/record.hpp"

namespace septet::trace {

struct TableRows {
  TableSpec spec;
  std::vector<std::byte> bytes;  // one row after the other

  // A file has no columns of a table without rows, so its rows have no size either.
  std::size_t size() const { return bytes.empty() ? 0 : bytes.size() / spec.row_size; }

  // As structs, where the table is that of Record.
  template <class Record>
  std::span<const Record> as() const {
    SEPTET_ASSERT(spec.name == table_of<Record>().name && spec.row_size == sizeof(Record));
    return {reinterpret_cast<const Record*>(bytes.data()), size()};
  }

  // Of a column of whole numbers or codes, and of one of floating-point numbers.
  std::int64_t integer(const ColumnSpec& column, std::size_t row) const;
  double real(const ColumnSpec& column, std::size_t row) const;
};

// Reads a table, checked: every column is there, as long as the table, of its kind; numbers are in
// their range, codes have a text, and enumerations are mapped by the names of their values. Throws
// ConfigError naming file, table, column, row, what was got and what is wanted; a column under the
// name of older versions with its name now.
TableRows read_rows(const Hdf5Reader& file, const TableSpec& table);

template <class Record>
std::vector<Record> read_records(const Hdf5Reader& file) {
  const TableRows table = read_rows(file, table_of<Record>());
  const std::span<const Record> rows = table.as<Record>();
  return {rows.begin(), rows.end()};
}

// For what only several columns or rows together can tell.
[[noreturn]] void refuse_value(const Hdf5Reader& file, const std::string& table,
                               const std::string& column, std::size_t row, const std::string& got,
                               const std::string& wanted);

}  // namespace septet::trace
