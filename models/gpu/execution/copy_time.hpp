// How long a copy or a memset takes on a GPU when it has its path for itself.
//
//   time = start-up latency + bytes / rate        (CopySpec)
//
// Between host and device the rate is that of the PCIe link. Inside the device a kernel copies:
// what it reads and writes goes at the rate of the L2 cache where both fit into what of it holds
// data (MemorySpec::l2_capacity), else at that of the device memory. Pageable memory is staged by
// the CPU during the call, so that only the last chunk is left when the command arrives; the CPU's
// part is in models/host/call_cost.hpp.
//
// Ignored: rates that fall gradually while a working set outgrows the L2 cache; engines shared with
// other copies (the caller's queue), and copies between two hosts' memories, which no GPU makes.
#pragma once

#include "models/gpu/gpu_spec.hpp"
#include "models/program/program.hpp"

namespace septet::gpu {

// Part of the time of such a copy is the CPU's staging.
inline bool is_staged(program::CopyDirection direction, bool pinned) {
  return !pinned && direction == program::CopyDirection::kHostToDevice;
}

// From host to device, back, or inside the device.
Duration copy_time(const GpuSpec& gpu, program::CopyDirection direction, Bytes bytes,
                   bool pinned = true);

Duration memset_time(const GpuSpec& gpu, Bytes bytes);

}  // namespace septet::gpu
