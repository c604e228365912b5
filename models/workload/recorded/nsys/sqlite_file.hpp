// An SQLite file opened for reading, and the rows of its tables. Columns that a version of the
// writer doesn't have read as absent. Every failure of the library is a ConfigError that names the
// file.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace septet::recorded {

class SqliteFile {
 public:
  // `path`: of the file; `name`: as messages call it.
  SqliteFile(const std::string& path, std::string name);

  bool has_table(const std::string& table) const;
  std::vector<std::string> tables() const;

  const std::string& name() const { return name_; }
  sqlite3* handle() const { return database_.get(); }
  // Throws what the library said last.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  std::string name_;
  std::unique_ptr<sqlite3, Close> database_;
};

// The rows of a table in the order of the file, one at a time.
class SqliteRows {
 public:
  // The columns are numbered as given. A table that doesn't exist has no rows.
  SqliteRows(const SqliteFile& file, const std::string& table,
             const std::vector<const char*>& columns);

  bool next();

  bool has_column(int column) const { return present_[static_cast<std::size_t>(column)]; }
  // Nothing for NULL, absent columns and values that are no integers.
  std::optional<std::int64_t> integer(int column) const;
  std::int64_t integer_or(int column, std::int64_t otherwise) const {
    return integer(column).value_or(otherwise);
  }
  // Valid until the next row; empty for NULL and absent columns.
  std::string_view text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  const SqliteFile& file_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::vector<bool> present_;
};

}  // namespace septet::recorded
