// Time of a copy or memset on a GPU without contention.
//
//   time = start-up latency + bytes / rate        (CopySpec)
//
// Between host and device the rate is that of the PCIe link. Within the device a kernel copies: at
// the rate of the L2 cache if source and destination fit in its usable part
// (MemorySpec::l2_capacity), else at that of device memory. Pageable memory is staged by the CPU
// during the call, so that only the last chunk remains when the command arrives; the CPU's part is
// in models/host/call_cost.hpp.
//
// Ignored: rates that fall gradually as a working set outgrows the L2 cache; engines shared with
// other copies (the caller's queue); copies between two hosts' memories, which no GPU executes.
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
