// Measured rows: one JSON object per line, as described in data/measurements/README.md, or the
// kernels of an Nsight Compute report in CSV (group `kernels`, metric gpu__time_duration in
// nanoseconds).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.hpp"
#include "models/program/data_type.hpp"
#include "models/workload/nsight/nsight_report.hpp"

namespace septet::validation {

// What a row says of its case.
using CaseKeys = std::shared_ptr<const nlohmann::ordered_json>;
CaseKeys case_of(nlohmann::ordered_json keys);
CaseKeys no_case();

struct MeasuredRow {
  std::string file;
  std::int64_t line = 0;
  std::string group;
  CaseKeys case_ = no_case();  // as it came
  std::string metric;
  std::optional<double> value;                             // absent where the answer was taken out
  bool null_value = false;                                 // its value is null
  std::string unit;                                        // of the value; empty: not given
  std::string hardware;                                    // empty: not given
  std::optional<std::string> mistake;                      // why it is not a valid row
  std::shared_ptr<const nsight::ProfiledKernel> profiled;  // of an Nsight Compute report

  Location where() const { return {file, line, 0, -1}; }

  // A number of the case, at least 0; those that end in "_us" are at most 10^12. Throws ConfigError
  // naming file, line and key.
  double number(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  std::string text(const std::string& key) const;
  bool flag(const std::string& key) const;
  program::DataType data_type() const;  // of its key `dtype`
  bool has(const std::string& key) const;
};

// All rows of a file in order; a row that lacks a key, has one twice or one that nobody knows, or
// has a value that nothing can have (row_check.hpp), says so. Throws ConfigError with file and line
// for a line that is no JSON object, and where the file can't be read to its end.
std::vector<MeasuredRow> read_measurements(const std::string& path);
std::vector<MeasuredRow> read_rows(std::istream& in, const std::string& path);  // of JSON

// The files of rows that `path` stands for: itself or, of a folder and those in it, every .jsonl
// and every .csv that begins as an Nsight Compute report, by name. Throws ConfigError where a
// folder holds none.
std::vector<std::string> measurement_files(const std::string& path);

}  // namespace septet::validation
