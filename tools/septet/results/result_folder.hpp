// The result folder of a run, replaced atomically (core/files/output_folder.hpp):
//
//   - trace.h5: every row of the run, its dictionaries, summary, resolved configuration, inputs
//   - timeline.pftrace: a timeline for ui.perfetto.dev; timeline.json.gz: for Chrome
//   - summary.txt: the printed report; summary.json: the same for scripts
//   - what_ifs.svg: a bar chart of the run and its what-ifs, if there are any
//   - what_ifs/: trace and timeline of each what-if, if they are kept
//   - provenance.json: origin of the results, and what varies: command line, threads, wall time
//
// All files except provenance.json are bit-identical wherever and whenever the run is made.
#pragma once

#include <filesystem>
#include <string>

#include "core/files/output_folder.hpp"
#include "core/trace/hdf5_writer.hpp"
#include "scenarios/analysis/run_summary.hpp"
#include "tools/septet/export/timeline_choice.hpp"
#include "tools/septet/study/provenance.hpp"

namespace septet::command {

// The trace and the timeline of one run, in a staged folder.
class RunFiles {
 public:
  // For the rows of a run of `system`; `what_if`: its name, if it is one.
  RunFiles(std::filesystem::path folder, const system::System& system,
           const std::string& what_if = {});

  trace::RowSink* rows() { return &writer_; }

  // The timeline of that run, from its rows in memory.
  void write_timeline(const system::ProgramRun& run, const TimelineChoice& choice) const;

  // Completes the trace. `scenario_toml`: the resolved configuration, if there is one.
  void finish(const analysis::RunSummary& summary, const RunOrigin& origin,
              const std::string& scenario_toml);

 private:
  void write_summary(const analysis::RunSummary& summary);

  std::filesystem::path folder_;
  trace::Hdf5Writer writer_;
};

class ResultFolder {
 public:
  // Throws FileError if a result can't be placed there, or another run is writing to it.
  explicit ResultFolder(const std::string& path);

  const std::filesystem::path& path() const { return folder_.path(); }  // to write into

  // A folder of its own for the what-if of that number, from 1, and name.
  std::filesystem::path add_what_if(std::size_t number, const std::string& name) const;

  void add_file(const std::string& name, const std::string& text) const;

  void publish() { folder_.publish(); }

 private:
  files::OutputFolder folder_;
};

}  // namespace septet::command
