// What a GPU executes: kernels (those of collectives too), copies and memsets, launched by commands
// or by nodes of graphs.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"
#include "models/program/program.hpp"
#include "models/records/wait_cause.hpp"

namespace septet::gpu {

enum class WorkKind : std::uint8_t { kKernel, kCollective, kCopy, kMemset };

struct Work {
  std::uint32_t command = 0;
  std::uint32_t stream = 0;
  std::uint32_t graph_run = kNone;
  std::uint32_t node = kNone;
  std::uint32_t object = kNone;  // kernel or collective
  std::uint32_t owner = 0;       // whose grids it belongs to: see Execution
  WorkKind kind = WorkKind::kKernel;
  bool joined = false;                // of a collective: the arrival of this rank is known
  bool timed = false;                 // ends after a known time, without being placed on SMs
  bool gated = false;                 // its body waits for the end of the kernel before it
  bool admitted = false;              // its blocks have been passed to the block scheduler
  bool triggered = false;             // it triggered its dependents early
  std::uint32_t grid = 0;             // of the block scheduler, once admitted
  std::uint32_t call = kNone;         // of a collective that has started: CollectiveCallTable
  std::uint64_t blocks = 0;           // operators: of the grid that their library chose
  Instant released = Instant::max();  // gated: when the body may start, once known
  program::CopyDirection direction = program::CopyDirection::kHostToDevice;
  bool pinned = true;    // copies: page-locked host memory
  bool inlined = false;  // its data are sent with the command
  records::WaitCause cause = records::WaitCause::kSubmission;
  Bytes bytes{};
  Duration duration{};
  Instant ready;
  Instant start;
  Instant begun;     // it starts then or later
  Instant complete;  // of a collective: arrival of its last rank

  bool is_collective() const { return kind == WorkKind::kCollective; }
  bool is_kernel() const { return kind == WorkKind::kKernel || is_collective(); }
};

// The work of a call or of a graph node, each a launch. `inline_copy_max`, `inline_memset_max`: up
// to these sizes copies to the device and memsets of calls come with their command.
Work work_of(const program::Call& call, Bytes inline_copy_max, Bytes inline_memset_max);
Work work_of(const program::GraphNode& node);

}  // namespace septet::gpu
