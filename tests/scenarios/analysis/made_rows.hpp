// Rows of runs that never happened.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/analysis/run_rows.hpp"

namespace septet::test {

inline Instant at(Duration time) { return Instant() + time; }

inline analysis::GpuWork kernel(Duration issued, Duration arrived, Duration start, Duration end,
                                records::WaitCause cause = records::WaitCause::kSubmission) {
  analysis::GpuWork work;
  work.issued = at(issued);
  work.arrived = at(arrived);
  work.ready = work.start = at(start);
  work.end = at(end);
  work.cause = cause;
  return work;
}

inline analysis::GpuWork on_stream(analysis::GpuWork work, std::int32_t stream) {
  work.stream = stream;
  return work;
}

inline analysis::GpuWork of_thread(analysis::GpuWork work, std::int32_t thread) {
  work.thread = thread;
  return work;
}

inline analysis::GpuWork as_copy(analysis::GpuWork work) {
  work.is_kernel = false;
  return work;
}

// A collective whose last rank came `waited` after its start.
inline analysis::GpuWork as_collective(analysis::GpuWork work, Duration waited,
                                       std::uint16_t device = 0) {
  work.waited = waited;
  work.device = device;
  return work;
}

inline analysis::GpuWork on_device(analysis::GpuWork work, std::uint16_t device) {
  work.device = device;
  return work;
}

inline records::ApiCallRecord call(Duration start, Duration end, Duration waited = {},
                                   std::int32_t thread = 0) {
  records::ApiCallRecord out;
  out.start = at(start);
  out.end = at(end);
  out.waited = waited;
  out.kind = program::CallKind::kLaunchKernel;
  out.thread = thread;
  return out;
}

// From 0 to `last`; works by start, calls by thread and start, as collect_rows leaves them.
inline analysis::RunRows rows_of(std::vector<analysis::GpuWork> works,
                                 std::vector<records::ApiCallRecord> calls, Duration last) {
  analysis::RunRows rows;
  rows.works = std::move(works);
  rows.calls = std::move(calls);
  rows.last = at(last);
  return rows;
}

}  // namespace septet::test
