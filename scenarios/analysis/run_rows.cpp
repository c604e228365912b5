#include "scenarios/analysis/run_rows.hpp"

#include <algorithm>

namespace septet {
RunRows collect_rows(const MemorySink& sink) {
  RunRows rows;
  const std::span<const KernelRecord> kernels = sink.records<KernelRecord>();
  const std::span<const CopyRecord> copies = sink.records<CopyRecord>();
  const std::span<const ApiCallRecord> calls = sink.records<ApiCallRecord>();
  rows.works.reserve(kernels.size() + copies.size());
  for (const KernelRecord& kernel : kernels) rows.works.emplace_back(kernel);
  for (const CopyRecord& copy : copies) rows.works.emplace_back(copy);
  rows.calls.assign(calls.begin(), calls.end());
  std::stable_sort(rows.works.begin(), rows.works.end(), [](const GpuWork& a, const GpuWork& b) {
    return a.start != b.start ? a.start < b.start : a.end < b.end;
  });
  std::stable_sort(rows.calls.begin(), rows.calls.end(),
                   [](const ApiCallRecord& a, const ApiCallRecord& b) {
                     return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
                   });
  if (rows.works.empty() && rows.calls.empty()) return rows;
  rows.first = Instant::max();
  for (const GpuWork& work : rows.works) {
    rows.first = std::min(rows.first, work.start);
    rows.last = std::max(rows.last, work.end);
  }
  for (const ApiCallRecord& call : rows.calls) {
    rows.first = std::min(rows.first, call.start);
    rows.last = std::max(rows.last, call.end);
  }
  return rows;
}

RunRows collect_rows(const ProgramRun& run) {
  RunRows rows = collect_rows(run.rows);
  if (run.extent.empty()) return rows;
  rows.first = run.extent.first;
  rows.last = run.extent.last;
  return rows;
}

}  // namespace septet
