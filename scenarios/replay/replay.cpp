#include "scenarios/replay/replay.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/replay/recorded_system.hpp"
#include "scenarios/whatif/what_if.hpp"

namespace septet {

std::vector<Instant> step_begins(const Import& recording, const RunRows& rows) {
  std::vector<Instant> begins(recording.steps.size(), Instant::max());
  std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, Instant>> issued;
  for (const GpuWork& work : rows.works) issued.push_back({{work.thread, work.call}, work.issued});
  std::sort(issued.begin(), issued.end());
  for (const RecordedRow& row : recording.rows) {
    const std::pair<std::int64_t, std::int64_t> key{row.thread, row.call};
    const auto found =
        std::lower_bound(issued.begin(), issued.end(), key,
                         [](const auto& entry, const auto& k) { return entry.first < k; });
    if (found == issued.end() || found->first != key) continue;
    begins[row.step] = std::min(begins[row.step], found->second);
  }
  std::erase(begins, Instant::max());
  std::sort(begins.begin(), begins.end());
  return begins;
}

RunSummary summarize(const ProgramRun& run) { return summarize(run, collect_rows(run)); }

RunSummary summarize(const ProgramRun& run, const RunRows& rows) {
  RunSummary out;
  out.span = rows.span();
  out.attribution = attribute(rows);
  out.kernels = top_kernels(rows);
  out.path = critical_path(rows);
  out.bottleneck = bottleneck_of(out.path, out.span);
  out.links = link_totals(run.rows, run.trace, out.span);
  out.kernel_names = run.trace.kernel_names.texts();
  out.gpu_commands = rows.works.size();
  out.engine = run.result;
  out.unfinished = run.unfinished;
  if (run.gpus.empty()) return out;
  const Instant end = out.unfinished.any() ? run.extent.last : run.result.last;
  out.ranks = rank_times(run.gpus, end - Instant());
  return out;
}

Replay::Replay(const Import& recording, const SystemSpec& profile, const RunOptions& options)
    : recording_(recording),
      profile_(profile),
      system_(recorded_system(profile, recording.latencies)),
      options_(options) {
  report_.measured = recording.measured;
}

void Replay::run_baseline(RowSink* also) {
  System made(recording_.program, system_);
  run_baseline(made, also);
}

void Replay::run_baseline(System& made, RowSink* also) {
  const ProgramRun run = run_program(made, options_, also);
  rows_ = collect_rows(run);
  report_.baseline = summarize(run, rows_);
  report_.start_error = start_error(recording_, rows_);
}

void Replay::run_what_if(const std::string& text) {
  WhatIfState state{recording_.program, system_, profile_, options_, {}};
  apply_what_if(text, state);
  WhatIfOutcome outcome;
  outcome.name = text;
  outcome.summary = summarize(run_program(state.program, state.system, state.options));
  outcome.speedup = ratio(report_.baseline.span, outcome.summary.span);
  outcome.notes = std::move(state.notes);
  report_.what_ifs.push_back(std::move(outcome));
}

}  // namespace septet
