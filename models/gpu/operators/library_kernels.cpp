#include "models/gpu/operators/library_kernels.hpp"

namespace septet {

LibraryKernels library_kernels(const GpuSpec& gpu, const OperatorWork& work) {
  return std::visit([&](const auto& what) { return kernels_of(gpu, what, work); }, work.what);
}

OperatorTime operator_time(const GpuSpec& gpu, const OperatorWork& work) {
  const LibraryKernels kernels = library_kernels(gpu, work);
  const auto* described = std::get_if<Kernel>(&kernels.run);
  return described != nullptr ? described_time(gpu, *described)
                              : std::get<OperatorTime>(kernels.run);
}

}  // namespace septet
