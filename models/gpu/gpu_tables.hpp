// The trace tables of GPU work.
#pragma once

#include "core/trace/table.hpp"

namespace septet {

// Why a command did not start earlier: the condition that was met last.
enum class WaitCause : std::uint8_t {
  kSubmission,     // it had not arrived: the host was the last to be ready
  kStreamOrder,    // the command before it in its stream was still running
  kEvent,          // its stream waited for an event
  kConnection,     // another command stood before it in its hardware connection
  kResidentGrids,  // as many grids as the GPU can hold were resident
  kGraph,          // a node of the graph before it was still running
  kProcess,        // another process had the GPU
  kRoom,           // no SM had room for a block of it
};
constexpr std::size_t kWaitCauses = 8;

// One row a kernel, written when it ends. The columns are those of KernelColumn; `name` is a code
// of dictionary "kernel", `node` is -1 outside of graphs, `waited` is -1 outside of collectives.
TableSpec kernels_table();

// One row a copy or fill. The columns are those of CopyColumn.
TableSpec copies_table();

// One row each time an event is recorded: time, event, stream, device.
TableSpec event_records_table();

// Columns of both tables, so that readers need no numbers.
enum class KernelColumn : std::uint8_t {
  kIssued,
  kArrived,
  kReady,
  kStart,
  kEnd,
  kName,
  kBlocks,
  kStream,
  kDevice,
  kCause,
  kThread,
  kCall,
  kNode,
  kCorrelation,
  kWaited
};
enum class CopyColumn : std::uint8_t {
  kIssued,
  kArrived,
  kReady,
  kStart,
  kEnd,
  kKind,
  kBytes,
  kStream,
  kDevice,
  kCause,
  kThread,
  kCall,
  kNode,
  kCorrelation
};

}  // namespace septet
