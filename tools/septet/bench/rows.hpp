// How many trace rows a second one thread can hand to a compressed HDF5 file, until finish()
// returns. Rows look like kernels: ascending start, end, kernel and stream codes, an enumeration
// and a real number with a full random mantissa (which no compression makes smaller).
//
// Values come from a table made beforehand, so that time goes into writing. To measure one core,
// pin the process (taskset -c 0): the writer has a thread of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace septet::command {

struct RowsOptions {
  std::uint64_t rows = 2'000'000;
  std::size_t columns = 6;  // further ones repeat the first six kinds
  std::filesystem::path path = "rows.h5";
};

struct RowsReport {
  std::uint64_t rows = 0;
  double seconds = 0;
  double rows_per_s = 0;
  std::uint64_t bytes = 0;  // of the file
};

// ConfigError where an option is out of its range, TraceFileError where the file cannot be written.
// The file stays.
RowsReport run_rows(const RowsOptions& options);

}  // namespace septet::command
