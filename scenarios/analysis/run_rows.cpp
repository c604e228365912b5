#include "scenarios/analysis/run_rows.hpp"

#include <algorithm>

#include "models/host/host_tables.hpp"

namespace septet {
namespace {

// The columns that kernels and copies share; `C` is the table's column enumeration.
template <class C>
void append_works(const MemorySink& sink, TableId table, C name, C size, bool kernels,
                  std::vector<GpuWork>& out) {
  const auto column = [&](C c) -> const std::vector<Cell>& {
    return sink.column(table, static_cast<std::size_t>(c));
  };
  const auto at = [&](C c, std::size_t row) { return column(c)[row].integer(); };
  for (std::size_t r = 0; r < sink.rows(table); ++r) {
    GpuWork work;
    work.issued = Instant(at(C::kIssued, r));
    work.arrived = Instant(at(C::kArrived, r));
    work.ready = Instant(at(C::kReady, r));
    work.start = Instant(at(C::kStart, r));
    work.end = Instant(at(C::kEnd, r));
    work.call = at(C::kCall, r);
    work.name = static_cast<std::int32_t>(at(name, r));
    work.size = at(size, r);
    work.stream = static_cast<std::int32_t>(at(C::kStream, r));
    work.thread = static_cast<std::int32_t>(at(C::kThread, r));
    work.node = static_cast<std::int32_t>(at(C::kNode, r));
    work.device = static_cast<std::uint16_t>(at(C::kDevice, r));
    work.cause = static_cast<WaitCause>(at(C::kCause, r));
    work.is_kernel = kernels;
    if (kernels) {
      constexpr auto kWaited = static_cast<std::size_t>(KernelColumn::kWaited);
      work.waited = Duration(sink.column(table, kWaited)[r].integer());
    }
    out.push_back(work);
  }
}

void append_calls(const MemorySink& sink, TableId table, std::vector<ApiCall>& out) {
  using C = ApiCallColumn;
  for (std::size_t r = 0; r < sink.rows(table); ++r) {
    const auto at = [&](C c) {
      return sink.column(table, static_cast<std::size_t>(c))[r].integer();
    };
    out.push_back({Instant(at(C::kStart)), Instant(at(C::kEnd)), Duration(at(C::kWaited)),
                   static_cast<std::int32_t>(at(C::kThread)),
                   static_cast<std::int32_t>(at(C::kName))});
  }
}

}  // namespace

RunRows collect_rows(const MemorySink& sink, const SystemTrace& trace) {
  RunRows rows;
  append_works(sink, trace.kernels, KernelColumn::kName, KernelColumn::kBlocks, true, rows.works);
  append_works(sink, trace.copies, CopyColumn::kKind, CopyColumn::kBytes, false, rows.works);
  append_calls(sink, trace.api_calls, rows.calls);
  std::stable_sort(rows.works.begin(), rows.works.end(), [](const GpuWork& a, const GpuWork& b) {
    return a.start != b.start ? a.start < b.start : a.end < b.end;
  });
  std::stable_sort(rows.calls.begin(), rows.calls.end(), [](const ApiCall& a, const ApiCall& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.start < b.start;
  });
  if (rows.works.empty() && rows.calls.empty()) return rows;
  rows.first = Instant::max();
  for (const GpuWork& work : rows.works) {
    rows.first = std::min(rows.first, work.start);
    rows.last = std::max(rows.last, work.end);
  }
  for (const ApiCall& call : rows.calls) {
    rows.first = std::min(rows.first, call.start);
    rows.last = std::max(rows.last, call.end);
  }
  return rows;
}

RunRows collect_rows(const ProgramRun& run) {
  RunRows rows = collect_rows(run.rows, run.trace);
  if (run.extent.empty()) return rows;
  rows.first = run.extent.first;
  rows.last = run.extent.last;
  return rows;
}

}  // namespace septet
