// Operators over rows of a matrix of two-byte elements: norms, softmax, argmax. Kernels in the
// form that the kernel model times, with the frameworks' own division of work.
#pragma once

#include "models/gpu/operators/operand_state.hpp"
#include "models/program/kernel.hpp"

namespace septet {

// Norms: 128 threads a row, 4 elements a load: sums over the row, a tree, the row again out of L1
// with its weights.
// Softmax: up to 1,024 columns a warp holds the row in registers; above, a block of up to 1,024
// threads.
// Argmax: 512 threads a row, 4 loads of 4 elements in flight, then a tree.
Kernel rowwise_kernel(const GpuSpec& gpu, const Rowwise& what);

// All elements into one sum: as many blocks of 512 threads as fit, 4 elements a load, one load of a
// thread in flight; the last block adds up the others' sums.
Kernel sum_kernel(const GpuSpec& gpu, const SumAll& what);

}  // namespace septet
