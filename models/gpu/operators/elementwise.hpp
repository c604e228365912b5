// Functions of each element, and gathers of rows: kernels in the form that the kernel model times.
// Counts of instructions are those of the frameworks' kernels, per warp.
#pragma once

#include "models/gpu/operators/operand_state.hpp"
#include "models/program/kernel.hpp"

namespace septet {

// Contiguous operands: 128 threads, each 8 elements of two bytes (4 of four) of every operand.
// Others: 4 elements a thread, one at a time with index arithmetic.
Kernel elementwise_kernel(const GpuSpec& gpu, const Elementwise& what);

// Rows of a table by index (embedding): the index, then 16 bytes a thread.
Kernel gather_kernel(const GpuSpec& gpu, const Gather& what);

}  // namespace septet
