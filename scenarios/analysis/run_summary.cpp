#include "scenarios/analysis/run_summary.hpp"

namespace septet::analysis {

RunSummary summarize(const system::ProgramRun& run) { return summarize(run, collect_rows(run)); }

RunSummary summarize(const system::ProgramRun& run, const RunRows& rows) {
  RunSummary out;
  out.span = rows.span();
  out.attribution = attribute(rows);
  out.kernels = top_kernels(rows);
  out.unrecorded = unrecorded_waits(rows);
  out.path = critical_path(rows);
  out.bottleneck = bottleneck_of(out.path, out.span);
  out.links =
      link_totals(run.rows.records<records::LinkRecord>(), run.trace.traced_links.links, out.span);
  out.kernel_names = run.trace.kernel_names.texts();
  out.gpu_commands = rows.works.size();
  out.engine = run.result;
  out.unfinished = run.unfinished;
  if (run.gpus.empty()) return out;
  const Instant end = out.unfinished.any() ? run.extent.last : run.result.last;
  out.ranks = rank_times(run.gpus, end - Instant());
  return out;
}

}  // namespace septet::analysis
