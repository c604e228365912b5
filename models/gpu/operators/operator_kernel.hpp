// Any operator of a Program as the kernels that a library runs for it.
#pragma once

#include <optional>

#include "models/gpu/operators/operator_time.hpp"

namespace septet {

// Alone on the GPU. Operators of several kernels (split products, quantisation, helpers) count as
// one, with the shape of the main one.
OperatorTime operator_time(const GpuSpec& gpu, const OperatorWork& work);

// The one kernel of an operator that the kernel model times; nothing for pipelines of tiles.
std::optional<Kernel> described_kernel_of(const GpuSpec& gpu, const OperatorWork& work);

}  // namespace septet
