// Reads a trace file written by Hdf5Writer, including the .part file of a killed run. Any problem
// with the file is an input error: ConfigError naming the file, what was expected and what was
// found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/file_content.hpp"
#include "core/trace/summary.hpp"
#include "core/trace/table.hpp"

namespace septet::trace {

class Hdf5Reader {
 public:
  // Whether a file without a right checksum is tried first (hdf5_trial.hpp).
  enum class Trial : std::uint8_t { kNever, kUnsealed };

  explicit Hdf5Reader(std::filesystem::path path, FileLocking locking = FileLocking::kAuto,
                      Trial trial = Trial::kUnsealed);
  ~Hdf5Reader();

  const std::filesystem::path& path() const;
  bool sealed() const;  // ends with the checksum that the writer of a whole file leaves

  std::vector<std::string> tables() const;  // in the order of the schema

  // The columns that are in the file, packed: none if the run ended before the first row was
  // written.
  TableSpec table(const std::string& name) const;
  std::size_t rows(const std::string& table) const;

  // A column of any integer type, or of any floating-point type; asking for the other is an error.
  std::vector<std::int64_t> integers(const std::string& table, const std::string& column) const;
  std::vector<double> reals(const std::string& table, const std::string& column) const;

  std::vector<std::string> dictionary(const std::string& name) const;         // text of code i at i
  std::optional<std::size_t> dictionary_size(const std::string& name) const;  // if it is there
  AttributeValue attribute(const std::string& name) const;                    // of the file
  std::vector<std::string> attribute_names() const;                           // of the file
  std::vector<std::string> members(const std::string& group) const;  // "": of the file itself
  std::string status() const;  // running, complete, interrupted or failed
  std::string meta(const std::string& name) const;
  std::vector<SummaryRow> summary() const;
  std::vector<CompoundColumn> compound(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace septet::trace
