// Writes a run's trace to an HDF5 file that h5py, pandas, xarray and PyTables open as it is.
//
//   /            attributes: Conventions, schema_version, tool_version, status, and what
//                set_attribute adds (seed, digest)
//   /TABLE/      one dataset a column (units, long_name; 64 Ki chunks, shuffle, gzip), on the
//                table's dimension scale; text is an int32 code that the attribute `dictionary`
//                explains, an enumeration is a uint8 with flag_values and flag_meanings
//   /dict/NAME/  code and name: the texts of a dictionary
//   /names/NAME  the same as a compound table
//   /meta/NAME   texts such as the resolved scenario
//   /summary, /bottlenecks   small compound tables
//
// The file is NAME.part while the run goes on, flushed every few blocks so that a killed run leaves
// what it had; finish() seals it with a checksum (file_seal.hpp), syncs it to disk and renames
// it. One writer thread does all the work on the file; its bytes depend on nothing but the calls:
// no clock, no number of threads.
//
// Contract: called from one thread at a time. What fails on the writer thread is thrown by a later
// call, at the latest by finish(), as TraceFileError naming the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/trace/file_content.hpp"
#include "core/trace/summary.hpp"
#include "core/trace/table.hpp"

namespace septet::trace {

struct Hdf5Options {
  std::string tool_version;
  int gzip_level = 1;             // level 4 takes a third longer for 2 % less
  std::size_t flush_blocks = 32;  // blocks of 64 Ki rows between two flushes
  std::size_t queue_blocks = 4;   // how far the simulation may be ahead of the writer
  FileLocking locking = FileLocking::kAuto;
};

class Hdf5Writer : public RowSink {
 public:
  // Creates PATH.part with the empty tables; an older file of that name is replaced.
  Hdf5Writer(std::filesystem::path path, const TraceSchema& schema, Hdf5Options options = {});

  // Without finish(): leaves PATH.part, with status "failed" as far as that can still be written.
  ~Hdf5Writer() override;

  void consume(TableId table, std::span<const std::byte> row) override;

  // Writes all rows so far to the file and flushes it.
  void flush();

  void set_attribute(const std::string& name, AttributeValue value);  // replaces an older value
  void set_dictionary(const std::string& name, std::vector<std::string> texts);
  void set_meta(const std::string& name, std::string text);
  void write_summary(const std::vector<SummaryRow>& rows);
  void write_compound(const std::string& name, const std::string& long_name,
                      std::vector<CompoundColumn> columns);

  // Writes what is left, sets the status and gives the file its name. Nothing may follow.
  enum class Outcome { kComplete, kInterrupted };
  void finish(Outcome outcome = Outcome::kComplete);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace septet::trace
