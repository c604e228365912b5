#include "models/gpu/execution/work.hpp"

namespace septet::gpu {
namespace {

void set_duration(Duration recorded, Work& work) {
  work.timed = recorded != kModelled;
  work.duration = recorded;
}

template <class Launch>
Work described(const Launch& launch) {
  Work work;
  if (const auto* kernel = get_if<LaunchKernel>(launch)) {
    work.object = kernel->kernel;
    set_duration(kernel->recorded, work);
  } else if (const auto* collective = get_if<JoinCollective>(launch)) {
    work.kind = WorkKind::kCollective;
    work.object = collective->collective;
  } else if (const auto* copy = get_if<Copy>(launch)) {
    work.kind = WorkKind::kCopy;
    work.direction = copy->direction;
    work.pinned = copy->pinned;
    work.bytes = copy->bytes;
    set_duration(copy->recorded, work);
  } else {
    const Memset& memset = as<Memset>(launch);
    work.kind = WorkKind::kMemset;
    work.bytes = memset.bytes;
    set_duration(memset.recorded, work);
  }
  return work;
}

}  // namespace

Work work_of(const Call& call, Bytes inline_copy_max, Bytes inline_memset_max) {
  Work work = described(call);
  const bool to_device =
      work.kind == WorkKind::kCopy && work.direction == CopyDirection::kHostToDevice;
  work.inlined = (to_device && work.bytes <= inline_copy_max) ||
                 (work.kind == WorkKind::kMemset && work.bytes <= inline_memset_max);
  return work;
}

Work work_of(const GraphNode& node) { return described(node); }

}  // namespace septet::gpu
