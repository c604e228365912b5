// The folder in which a run leaves its results:
//
//   trace.h5         every row of the run, its dictionaries, summary and resolved configuration
//   timeline.pftrace the same as a timeline for ui.perfetto.dev
//   summary.txt      what was printed
//   summary.json     the same for scripts
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "core/trace/hdf5_writer.hpp"
#include "scenarios/replay/replay.hpp"

namespace septet {

class ResultFolder {
 public:
  // Creates the folder, for the rows of a run of `program` on `system`.
  ResultFolder(const std::filesystem::path& path, const Program& program, const SystemSpec& system);

  RowSink* rows() { return &writer_; }
  void set_meta(const std::string& name, const std::string& text) { writer_.set_meta(name, text); }

  // Completes the trace, then writes the timeline and the summaries.
  void finish(const RunSummary& summary, std::uint64_t seed, const std::string& text,
              const nlohmann::ordered_json& json);

 private:
  void write_summary(const RunSummary& summary, std::uint64_t seed);

  std::filesystem::path path_;
  Hdf5Writer writer_;
};

}  // namespace septet
