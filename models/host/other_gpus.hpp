// GPUs of a cluster that differ from the others, and their hosts. The GPUs of one node are alike.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/by_range.hpp"
#include "core/base/error.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/host/host_spec.hpp"

namespace septet::host {

struct OtherGpus {
  std::uint32_t first = 0;  // device
  std::uint32_t count = 1;
  std::uint32_t connections = 0;  // CUDA_DEVICE_MAX_CONNECTIONS; 0: the GPU's default
  gpu::GpuSpec gpu{};
  HostSpec host{};
  Location where{};  // where they are named
};

// By device. The ranges of `others` do not overlap.
inline ByRange<gpu::GpuSpec> gpus_by_device(const gpu::GpuSpec& usual,
                                            const std::vector<OtherGpus>& others) {
  ByRange<gpu::GpuSpec> out(usual);
  for (const OtherGpus& other : others) out.set(other.first, other.count, other.gpu);
  return out;
}

// What their library knows of their links.
inline ByRange<network::CollectiveSpec> libraries_by_device(const gpu::GpuSpec& usual,
                                                            const std::vector<OtherGpus>& others) {
  ByRange<network::CollectiveSpec> out(usual.collective);
  for (const OtherGpus& other : others) out.set(other.first, other.count, other.gpu.collective);
  return out;
}

}  // namespace septet::host
