// Which kernels a library runs for an operator of a Program, and how long they take alone.
#pragma once

#include <string>
#include <variant>

#include "models/gpu/operators/operator_time.hpp"

namespace septet::gpu {

struct LibraryKernels {
  // One kernel, described by its instructions for the kernel model, or all of them timed as one:
  // pipelines of tiles, split products, helpers, with the shape of the main one.
  std::variant<program::Kernel, OperatorTime> run;
  std::string plan{};  // of those that are timed: "32 tiles of 128 x 256"
};

// Each operator's is in the file of its name. `work`: by whose kernels, after which load. Throws
// ModelError where the GPU can't compute with the type.
#define SEPTET_KERNELS_OF(What) \
  kernels_of(const GpuSpec& gpu, const What& what, const program::OperatorWork& work)
LibraryKernels SEPTET_OPERATORS(SEPTET_KERNELS_OF);
#undef SEPTET_KERNELS_OF

// As the models have it.
LibraryKernels modelled_kernels(const GpuSpec& gpu, const program::OperatorWork& work);
// The same, and never less than the hardware takes (physical_floor.hpp).
LibraryKernels library_kernels(const GpuSpec& gpu, const program::OperatorWork& work);
OperatorTime operator_time(const GpuSpec& gpu, const program::OperatorWork& work);

}  // namespace septet::gpu
