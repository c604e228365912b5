#include "models/gpu/operators/library_kernels.hpp"

#include <algorithm>

#include "models/gpu/operators/physical_floor.hpp"

namespace septet::gpu {
namespace {

OperatorTime timed(const GpuSpec& gpu, const LibraryKernels& kernels) {
  const auto* described = std::get_if<program::Kernel>(&kernels.run);
  return described != nullptr ? described_time(gpu, *described)
                              : std::get<OperatorTime>(kernels.run);
}

}  // namespace

LibraryKernels modelled_kernels(const GpuSpec& gpu, const program::OperatorWork& work) {
  return std::visit([&](const auto& what) { return kernels_of(gpu, what, work); }, work.what);
}

LibraryKernels library_kernels(const GpuSpec& gpu, const program::OperatorWork& work) {
  LibraryKernels out = modelled_kernels(gpu, work);
  if (auto* time = std::get_if<OperatorTime>(&out.run)) {
    time->time = std::max(time->time, physical_floor(gpu, work.what, time->clock));
  }
  // A lower clock cannot be part of a description either.
  if (const auto* kernel = std::get_if<program::Kernel>(&out.run);
      kernel && work.load != program::LoadHistory{}) {
    const OperatorTime time = described_time(gpu, *kernel, work.load);
    if (time.clock < gpu.clock) out.run = time;
  }
  if (work.factor == 1) return out;
  OperatorTime time = timed(gpu, out);  // a factor on the time cannot be part of a description
  time.time = scale(time.time, work.factor);
  out.run = time;
  return out;
}

OperatorTime operator_time(const GpuSpec& gpu, const program::OperatorWork& work) {
  return timed(gpu, library_kernels(gpu, work));
}

}  // namespace septet::gpu
