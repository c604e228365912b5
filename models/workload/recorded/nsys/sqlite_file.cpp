#include "models/workload/recorded/nsys/sqlite_file.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/base/error.hpp"

namespace septet::recorded {
namespace {

// The path as a URI, in which these characters have a meaning. Immutable: no locks, and no journal
// is looked for.
std::string uri_of(const std::string& path) {
  std::string out = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "?immutable=1";
}

std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

sqlite3_stmt* prepare(const SqliteFile& file, const std::string& query) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(file.handle(), query.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    file.fail("can't be read");
  }
  return statement;
}

}  // namespace

void SqliteFile::Close::operator()(sqlite3* database) const { sqlite3_close(database); }
void SqliteRows::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqliteFile::SqliteFile(const std::string& path, std::string name) : name_(std::move(name)) {
  sqlite3* database = nullptr;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int rc = sqlite3_open_v2(uri_of(path).c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (rc != SQLITE_OK) fail("can't be opened");
  // The file is another's: nothing in its schema may run.
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

void SqliteFile::fail(const std::string& what) const {
  const char* said = database_ == nullptr ? "out of memory" : sqlite3_errmsg(database_.get());
  throw ConfigError({name_}, fmt::format("the SQLite file {}: {}", what, said));
}

std::vector<std::string> SqliteFile::tables() const {
  std::vector<std::string> out;
  SqliteRows rows(*this, "sqlite_master", {"type", "name"});
  while (rows.next()) {
    if (rows.text(0) == "table") out.emplace_back(rows.text(1));
  }
  return out;
}

bool SqliteFile::has_table(const std::string& table) const {
  const std::vector<std::string> all = tables();
  return std::find(all.begin(), all.end(), table) != all.end();
}

SqliteRows::SqliteRows(const SqliteFile& file, const std::string& table,
                       const std::vector<const char*>& columns)
    : file_(file), present_(columns.size(), false) {
  std::vector<std::string> known;
  const bool schema = table == "sqlite_master";
  if (!schema && !file.has_table(table)) return;
  if (!schema) {
    statement_.reset(prepare(file, "PRAGMA table_info(" + quoted(table) + ")"));
    while (next()) {
      const auto* text = sqlite3_column_text(statement_.get(), 1);
      if (text != nullptr) known.emplace_back(reinterpret_cast<const char*>(text));
    }
  }
  std::string list;
  std::size_t number = 0;
  for (const char* column : columns) {
    present_[number] = schema || std::find(known.begin(), known.end(), column) != known.end();
    list += (number == 0 ? "" : ", ") + (present_[number] ? quoted(column) : std::string("NULL"));
    ++number;
  }
  statement_.reset(prepare(file, "SELECT " + list + " FROM " + quoted(table)));
}

bool SqliteRows::next() {
  if (statement_ == nullptr) return false;
  const int rc = sqlite3_step(statement_.get());
  if (rc == SQLITE_ROW) return true;
  if (rc != SQLITE_DONE) file_.fail("is damaged");
  return false;
}

std::optional<std::int64_t> SqliteRows::integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view SqliteRows::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return {};
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const int bytes = sqlite3_column_bytes(statement_.get(), column);
  return {text, static_cast<std::size_t>(bytes)};
}

}  // namespace septet::recorded
