#include "models/gpu/execution/work.hpp"

namespace septet::gpu {
namespace {

void set_duration(Duration recorded, Work& work) {
  work.timed = recorded != program::kModelled;
  work.duration = recorded;
}

template <class Launch>
Work described(const Launch& launch) {
  Work work;
  if (const auto* kernel = program::get_if<program::LaunchKernel>(launch)) {
    work.object = kernel->kernel;
    set_duration(kernel->recorded, work);
  } else if (const auto* collective = program::get_if<program::JoinCollective>(launch)) {
    work.kind = WorkKind::kCollective;
    work.object = collective->collective;
  } else if (const auto* copy = program::get_if<program::Copy>(launch)) {
    work.kind = WorkKind::kCopy;
    work.direction = copy->direction;
    work.pinned = copy->pinned;
    work.bytes = copy->bytes;
    set_duration(copy->recorded, work);
  } else {
    const program::Memset& memset = program::as<program::Memset>(launch);
    work.kind = WorkKind::kMemset;
    work.bytes = memset.bytes;
    set_duration(memset.recorded, work);
  }
  return work;
}

}  // namespace

Work work_of(const program::Call& call, Bytes inline_copy_max, Bytes inline_memset_max) {
  Work work = described(call);
  const bool to_device =
      work.kind == WorkKind::kCopy && work.direction == program::CopyDirection::kHostToDevice;
  work.inlined = (to_device && work.bytes <= inline_copy_max) ||
                 (work.kind == WorkKind::kMemset && work.bytes <= inline_memset_max);
  return work;
}

Work work_of(const program::GraphNode& node) { return described(node); }

}  // namespace septet::gpu
