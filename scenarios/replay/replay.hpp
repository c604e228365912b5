// Replays a recording and answers what-ifs about it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/workload/recorded/import/importer.hpp"
#include "scenarios/analysis/attribution.hpp"
#include "scenarios/analysis/bottleneck.hpp"
#include "scenarios/analysis/critical_path.hpp"
#include "scenarios/analysis/link_totals.hpp"
#include "scenarios/analysis/rank_times.hpp"
#include "scenarios/replay/start_error.hpp"
#include "scenarios/system/run_program.hpp"

namespace septet {

// One run with what was found out about it.
struct RunSummary {
  Duration span{};  // of all GPUs, traced or not: see System::extent
  Attribution attribution;
  std::vector<KernelTotal> kernels;       // that work longest first
  std::vector<PathLink> path;             // critical path
  RunBottleneck bottleneck;               // of that path
  std::vector<LinkTotal> links;           // busiest first; empty where they were not traced
  std::vector<std::string> kernel_names;  // by code
  std::uint64_t gpu_commands = 0;
  std::optional<RankTimes> ranks;  // of all GPUs, traced or not, where there are collectives
  RunResult engine;
  Unfinished unfinished;  // where the run was cut short
};

RunSummary summarize(const ProgramRun& run);
RunSummary summarize(const ProgramRun& run, const RunRows& rows);  // `rows`: of that run

// Begins of the steps in a replay: the issue of each step's first command, ascending.
std::vector<Instant> step_begins(const Import& recording, const RunRows& rows);

struct WhatIfOutcome {
  std::string name;
  RunSummary summary;
  double speedup = 0;  // baseline span / its span
  std::vector<std::string> notes;
};

struct ReplayReport {
  Duration measured{};
  StartError start_error;
  RunSummary baseline;
  std::vector<WhatIfOutcome> what_ifs;
};

class Replay {
 public:
  // The recording must outlive the replay. `profile`: the hardware that the recording was made on.
  Replay(const Import& recording, const SystemSpec& profile, const RunOptions& options);

  // Runs the recording without a change; `also` receives its rows.
  void run_baseline(RowSink* also);
  // The same on a system made for it of the recording's program and system().
  void run_baseline(System& made, RowSink* also);
  // Runs one what-if (scenarios/whatif/what_if.hpp says which there are).
  void run_what_if(const std::string& text);

  const ReplayReport& report() const { return report_; }
  const SystemSpec& system() const { return system_; }

 private:
  const Import& recording_;
  SystemSpec profile_;
  SystemSpec system_;
  RunOptions options_;
  RunRows rows_;  // of the baseline
  ReplayReport report_;
};

}  // namespace septet
