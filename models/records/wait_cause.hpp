// Why a kernel or copy did not start earlier (wait cause).
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/base/enum_texts.hpp"

namespace septet::records {

// The condition that was satisfied last.
enum class WaitCause : std::uint8_t {
  kSubmission,     // it had not arrived: the host was the last to be ready
  kStreamOrder,    // the previous command in its stream was still running
  kEvent,          // its stream waited for an event
  kConnection,     // another command was ahead of it in its hardware connection
  kResidentGrids,  // as many grids as the GPU can hold were resident
  kGraph,          // a preceding node of the graph was still running
  kProcess,        // another process had the GPU
  kSmResources,    // no SM had the resources for a block of it
  kUnrecorded,     // something that is not in the recording
};
constexpr auto enum_table(std::type_identity<WaitCause>) {
  return enum_texts<WaitCause>("submission", "stream_order", "event", "connection",
                               "resident_grids", "graph", "process", "sm_resources", "unrecorded");
}

}  // namespace septet::records
