// The rows of a run as plain structs, for summaries.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/trace/memory_sink.hpp"
#include "models/gpu/gpu_tables.hpp"
#include "scenarios/system/run_program.hpp"

namespace septet {

// A kernel or copy that ran.
struct GpuWork {
  Instant issued, arrived, ready, start, end;
  std::int64_t call = 0;
  std::int32_t name = 0;  // kernels: code in "kernel"; copies: the kind
  std::int32_t stream = 0;
  std::int32_t thread = 0;
  std::int32_t node = -1;
  std::uint16_t device = 0;
  WaitCause cause = WaitCause::kSubmission;
  bool is_kernel = true;
  std::int64_t size = 0;  // blocks or bytes
  Duration waited{-1};    // of a collective: from its start until its last rank was there

  bool is_collective() const { return waited >= Duration(0); }
  Duration moving() const { return end - start - waited; }  // of a collective: the rest
};

struct ApiCall {
  Instant start, end;
  Duration waited{};
  std::int32_t thread = 0;
  std::int32_t name = 0;  // code in "call"
};

struct RunRows {
  std::vector<GpuWork> works;  // by start, then by end
  std::vector<ApiCall> calls;  // by thread, then by start
  Instant first;               // begin of the first call or GPU activity
  Instant last;                // end of the last call or GPU activity

  Duration span() const { return last - first; }
};

RunRows collect_rows(const MemorySink& sink, const SystemTrace& trace);
// Those of the run, from the first to the last activity of all its GPUs, traced or not.
RunRows collect_rows(const ProgramRun& run);

}  // namespace septet
