#include "scenarios/analysis/run_rows.hpp"

#include <algorithm>

#include "models/workload/recorded/recording/nccl_names.hpp"

namespace septet::analysis {
RunRows collect_rows(const trace::MemorySink& sink) {
  RunRows rows;
  const std::span<const records::KernelRecord> kernels = sink.records<records::KernelRecord>();
  const std::span<const records::CopyRecord> copies = sink.records<records::CopyRecord>();
  const std::span<const records::ApiCallRecord> calls = sink.records<records::ApiCallRecord>();
  rows.works.reserve(kernels.size() + copies.size());
  for (const records::KernelRecord& kernel : kernels) rows.works.emplace_back(kernel);
  for (const records::CopyRecord& copy : copies) rows.works.emplace_back(copy);
  rows.calls.assign(calls.begin(), calls.end());
  std::stable_sort(rows.works.begin(), rows.works.end(), [](const GpuWork& a, const GpuWork& b) {
    return a.start != b.start ? a.start < b.start : a.end < b.end;
  });
  std::stable_sort(rows.calls.begin(), rows.calls.end(),
                   [](const records::ApiCallRecord& a, const records::ApiCallRecord& b) {
                     return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
                   });
  if (rows.works.empty() && rows.calls.empty()) return rows;
  rows.first = Instant::max();
  for (const GpuWork& work : rows.works) {
    rows.first = std::min(rows.first, work.start);
    rows.last = std::max(rows.last, work.end);
  }
  for (const records::ApiCallRecord& call : rows.calls) {
    rows.first = std::min(rows.first, call.start);
    rows.last = std::max(rows.last, call.end);
  }
  return rows;
}

namespace {

// Recorded kernels that communicate, of a rank whose partners are not in the program: they move
// data, and how long they waited is not known.
void mark_lone_collectives(const std::vector<std::string>& names, std::vector<GpuWork>& works) {
  std::vector<bool> communicates;
  for (const std::string& name : names) {
    communicates.push_back(recorded::nccl_op(name).has_value());
  }
  for (GpuWork& work : works) {
    const auto name = static_cast<std::size_t>(work.name);
    const bool known = work.is_kernel && name < communicates.size();
    if (known && communicates[name] && !work.is_collective()) work.waited = Duration(0);
  }
}

}  // namespace

RunRows collect_rows(const system::ProgramRun& run) {
  RunRows rows = collect_rows(run.rows);
  mark_lone_collectives(run.trace.kernel_names.texts(), rows.works);
  if (run.extent.empty()) return rows;
  rows.first = run.extent.first;
  rows.last = run.extent.last;
  return rows;
}

}  // namespace septet::analysis
