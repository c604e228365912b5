// Applicable changes to a kernel: each function returns the variants of one kind, or none if the
// kind does not apply. The kernel model determines whether a variant is faster.
//
// A thread's work is scaled by iterations (`repeat`) or, where each thread makes one, by blocks.
// Registers for additional loads in flight are counted; other effects in the compiler, above all
// spills, are not.
#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "scenarios/explain/kernel_description.hpp"

namespace septet::explain {

struct Change {
  std::string text;  // an instruction with its numbers: "at most 64 registers a thread, ..."
  KernelDescription kernel;
};

using Changes = std::vector<Change>;

// The launch (launch_changes.cpp).
Changes fewer_registers(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes less_shared_memory(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes other_block_size(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes more_blocks(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes one_wave(const gpu::GpuSpec& gpu, const KernelDescription& kernel);

// Access to memory (access_changes.cpp).
Changes wider_access(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes more_loads_in_flight(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes dense_access(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes no_bank_conflicts(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes blocking_for_l2(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes prefetch(const gpu::GpuSpec& gpu, const KernelDescription& kernel);

// Instructions (code_changes.cpp).
Changes shorter_chain(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes split_body(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes uniform_paths(const gpu::GpuSpec& gpu, const KernelDescription& kernel);
Changes warp_primitives(const gpu::GpuSpec& gpu, const KernelDescription& kernel);

}  // namespace septet::explain
