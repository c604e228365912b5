// One run with the results of its analysis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/analysis/attribution.hpp"
#include "scenarios/analysis/bottleneck.hpp"
#include "scenarios/analysis/critical_path.hpp"
#include "scenarios/analysis/link_totals.hpp"
#include "scenarios/analysis/rank_times.hpp"
#include "scenarios/system/run_program.hpp"

namespace septet::analysis {

struct RunSummary {
  Duration span{};  // of all GPUs, traced or not: see System::extent
  Attribution attribution;
  std::vector<KernelTotal> kernels;        // that work longest first
  std::vector<UnrecordedWait> unrecorded;  // longest first
  std::vector<PathLink> path;              // critical path
  RunBottleneck bottleneck;                // of that path
  std::vector<LinkTotal> links;            // busiest first; empty where they were not traced
  std::vector<std::string> kernel_names;   // by code
  std::uint64_t gpu_commands = 0;
  std::optional<RankTimes> ranks;  // of all GPUs, traced or not, where there are collectives
  engine::RunResult engine;
  system::Unfinished unfinished;  // where the run was cut short
};

RunSummary summarize(const system::ProgramRun& run, const RunRows& rows);  // `rows`: of that run
RunSummary summarize(const system::ProgramRun& run);

}  // namespace septet::analysis
