// The rows of a run in the order used by summaries.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/memory_sink.hpp"
#include "models/records/api_call_record.hpp"
#include "models/records/gpu_records.hpp"
#include "scenarios/system/run_program.hpp"

namespace septet::analysis {

// A kernel or copy that ran.
struct GpuWork : records::GpuRecord {
  std::int32_t name = 0;  // kernels: code in "kernel"; copies: the kind
  bool is_kernel = true;
  std::int64_t size = 0;  // blocks or bytes
  Duration waited{-1};    // of a collective: from its start until its last rank arrived

  GpuWork() = default;
  explicit GpuWork(const records::KernelRecord& kernel)
      : records::GpuRecord(static_cast<const records::GpuRecord&>(kernel)),
        name(kernel.name),
        size(kernel.blocks),
        waited(kernel.waited) {}
  explicit GpuWork(const records::CopyRecord& copy)
      : records::GpuRecord(static_cast<const records::GpuRecord&>(copy)),
        name(static_cast<std::int32_t>(copy.kind)),
        is_kernel(false),
        size(copy.bytes.count()) {}

  bool is_collective() const { return waited >= Duration(0); }
  Duration moving() const { return end - start - waited; }  // of a collective: the rest
};

struct RunRows {
  std::vector<GpuWork> works;                 // by start, then by end
  std::vector<records::ApiCallRecord> calls;  // by thread, then by start
  Instant first;                              // begin of the first call or GPU activity
  Instant last;                               // end of the last call or GPU activity

  Duration span() const { return last - first; }
};

RunRows collect_rows(const trace::MemorySink& rows);
// Those of the run, from the first to the last activity of all its GPUs, traced or not. Kernels
// with the name of a collective count as one that waits for nobody.
RunRows collect_rows(const system::ProgramRun& run);

}  // namespace septet::analysis
