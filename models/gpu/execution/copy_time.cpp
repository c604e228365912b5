#include "models/gpu/execution/copy_time.hpp"

#include <algorithm>

namespace septet::gpu {

Duration copy_time(const GpuSpec& gpu, program::CopyDirection direction, Bytes bytes, bool pinned) {
  const CopySpec& spec = gpu.copy;
  const Bytes left = is_staged(direction, pinned) ? std::min(bytes, spec.staging_chunk) : bytes;
  if (direction == program::CopyDirection::kHostToDevice) {
    return spec.host_to_device_latency + transfer_time(left, spec.host_to_device);
  }
  if (direction == program::CopyDirection::kDeviceToHost) {
    return spec.device_to_host_latency + transfer_time(left, spec.device_to_host);
  }
  const bool cached = left * 2 <= gpu.kernel.memory.l2_capacity;
  return spec.device_to_device_latency +
         transfer_time(left, cached ? spec.device_to_device_in_l2 : spec.device_to_device);
}

Duration memset_time(const GpuSpec& gpu, Bytes bytes) {
  const bool cached = bytes <= gpu.kernel.memory.l2_capacity;
  return gpu.copy.memset_latency +
         transfer_time(bytes, cached ? gpu.copy.memset_in_l2 : gpu.copy.memset);
}

}  // namespace septet::gpu
