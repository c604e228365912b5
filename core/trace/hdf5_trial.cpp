#include "core/trace/hdf5_trial.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <system_error>

#include "core/base/error.hpp"
#include "core/trace/file_seal.hpp"
#include "core/trace/hdf5_handle.hpp"
#include "core/trace/hdf5_reader.hpp"
#include "core/trace/trial.hpp"

namespace septet::trace {
namespace {

// What can't be read doesn't keep the rest from being tried.
void attempt(const std::function<void()>& read) {
  try {
    read();
  } catch (const std::exception&) {
  }
}

void read_column(const Hdf5Reader& file, const std::string& table, const ColumnSpec& column) {
  attempt([&] { file.integers(table, column.name); });
  attempt([&] { file.reals(table, column.name); });
}

void read_table(const Hdf5Reader& file, const std::string& table) {
  file.rows(table);
  for (const ColumnSpec& column : file.table(table).columns) read_column(file, table, column);
}

void read_all(const Hdf5Reader& file) {
  attempt([&] {
    for (const std::string& name : file.attribute_names()) {
      attempt([&] { file.attribute(name); });
    }
  });
  attempt([&] {
    for (const std::string& name : file.members("")) {
      attempt([&] { read_table(file, name); });
      attempt([&] { file.compound(name); });
    }
  });
  attempt([&] {
    for (const std::string& name : file.members("dict")) {
      attempt([&] { file.dictionary(name); });
    }
  });
  attempt([&] {
    for (const std::string& name : file.members("meta")) {
      attempt([&] { file.meta(name); });
    }
  });
}

// Of CPU time: far more than reading takes anywhere.
std::chrono::seconds limit_for(std::uintmax_t bytes) {
  constexpr std::uintmax_t kBytesPerSecond = 1'000'000;
  constexpr std::uintmax_t kLeast = 10;
  return std::chrono::seconds(kLeast + bytes / kBytesPerSecond);
}

// Whether the file's checksum is right or, where it is not, is found wrong before libhdf5 sees it.
bool needs_no_trial(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return true;
  try {
    return check_seal(path);
  } catch (const TraceFileError&) {
    return true;
  }
}

std::string ending(const std::filesystem::path& path, const std::function<void()>& read) {
  const std::string end = fatal_end_of(read, limit_for(std::filesystem::file_size(path)));
  if (end.empty()) return {};
  return "damaged and without a checksum: HDF5 can't read all of it (" + end + ")";
}

}  // namespace

void try_reading(const std::filesystem::path& path, FileLocking locking) {
  const std::string end =
      ending(path, [&] { read_all(Hdf5Reader(path, locking, Hdf5Reader::Trial::kNever)); });
  if (!end.empty()) throw TraceFileError(end);
}

void try_reading(const std::filesystem::path& path, const std::function<void()>& read) {
  if (needs_no_trial(path)) return;
  const std::string end = ending(path, read);
  if (!end.empty()) throw ConfigError({path.string()}, end);
}

}  // namespace septet::trace
