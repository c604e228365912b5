// Runs a Program on a system and keeps what it did: the one function behind `run`, `replay`,
// `validate` and every what-if.
#pragma once

#include "core/engine/simulation.hpp"
#include "core/trace/memory_sink.hpp"
#include "scenarios/system/system.hpp"

namespace septet::system {

struct ProgramRun {
  engine::RunResult result;
  SystemTrace trace;
  trace::MemorySink rows;
  Unfinished unfinished{};        // at RunOptions::end
  Extent extent{};                // of all GPUs, traced or not
  std::vector<GpuActivity> gpus;  // by device; empty where the program has no collectives
};

// `also`: receives every row as well (for example an HDF5 writer); may be null.
ProgramRun run_program(const program::Program& program, const SystemSpec& spec,
                       const engine::RunOptions& options, trace::RowSink* also = nullptr);
// The same for a system that has not run yet.
ProgramRun run_program(System& system, const engine::RunOptions& options,
                       trace::RowSink* also = nullptr);

}  // namespace septet::system
