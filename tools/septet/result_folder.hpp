// The folder with the results of a run:
//
//   trace.h5         every row of the run, its dictionaries, summary and resolved configuration
//   timeline.pftrace the same as a timeline for ui.perfetto.dev
//   summary.txt      the printed report
//   summary.json     the same as JSON
//   what_ifs.svg     bar chart of the run and its what-ifs, if any
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/trace/hdf5_writer.hpp"
#include "scenarios/analysis/run_summary.hpp"

namespace septet::command {

// Throws std::runtime_error where the file cannot be written.
void write_text(const std::filesystem::path& path, const std::string& text);

class ResultFolder {
 public:
  // Creates the folder, for the rows of a run of `system`.
  ResultFolder(const std::filesystem::path& path, const system::System& system);

  trace::RowSink* rows() { return &writer_; }
  void set_meta(const std::string& name, const std::string& text) { writer_.set_meta(name, text); }

  // The timeline of that run, from its rows in memory.
  void write_timeline(const system::ProgramRun& run) const;

  // Another text file.
  void add_file(const std::string& name, const std::string& text) const;

  // Completes the trace, then writes the summaries.
  void finish(const analysis::RunSummary& summary, std::uint64_t seed, const std::string& text,
              const nlohmann::ordered_json& json);

 private:
  void write_summary(const analysis::RunSummary& summary, std::uint64_t seed);

  std::filesystem::path path_;
  trace::Hdf5Writer writer_;
};

}  // namespace septet::command
