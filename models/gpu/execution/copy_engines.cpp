#include "models/gpu/execution/copy_engines.hpp"

#include <algorithm>

#include "models/gpu/execution/copy_time.hpp"

namespace septet::gpu {

Duration time_alone(const GpuSpec& gpu, ByteRate host_copy_rate, const Work& work) {
  if (work.inlined) return Duration(0);
  if (work.kind == WorkKind::kMemset) return memset_time(gpu, work.bytes);
  if (work.direction == program::CopyDirection::kHostToHost) {
    return transfer_time(work.bytes, host_copy_rate);
  }
  return copy_time(gpu, work.direction, work.bytes, work.pinned);
}

Instant CopyEngines::start(const Work& copy, Duration time, Instant now) {
  const bool from = copy.direction == program::CopyDirection::kDeviceToHost;
  const bool to = copy.direction == program::CopyDirection::kHostToDevice;
  if (copy.kind == WorkKind::kMemset || (!from && !to)) return now;
  Instant& free = free_[from ? 1 : 0];
  const Instant start = std::max(now, free);
  free = start + time;
  return start;
}

}  // namespace septet::gpu
