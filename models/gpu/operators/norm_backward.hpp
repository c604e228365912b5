// Gradients of norms of rows, as PyTorch's kernels compute them: one kernel for that of the input,
// a block of 128 threads a row, and one for those of the weights, a block of 32 x 32 threads for 32
// columns, which goes over all rows.
#pragma once

#include "models/gpu/operators/operator_time.hpp"
#include "models/program/operator_work.hpp"

namespace septet::gpu {

OperatorTime norm_backward(const GpuSpec& gpu, const program::Rowwise& what);

}  // namespace septet::gpu
