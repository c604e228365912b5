#include "scenarios/explain/kernel_description.hpp"

#include <algorithm>
#include <numeric>

namespace septet::explain {

double SegmentDescription::issued() const {
  return std::accumulate(segment.instructions.begin(), segment.instructions.end(), 0.0);
}

bool SegmentDescription::loads() const {
  return std::ranges::any_of(accesses, [](const auto& access) { return !access.batch.write; });
}

program::InstructionWork work_of(const KernelDescription& kernel) {
  program::InstructionWork out;
  out.once_cycles = kernel.once_cycles;
  out.wave_cycles = kernel.wave_cycles;
  for (const SegmentDescription& described : kernel.segments) {
    program::Segment& segment = out.segments.emplace_back(described.segment);
    segment.batches.clear();
    for (const AccessDescription& access : described.accesses) {
      segment.batches.push_back(access.batch);
    }
  }
  return out;
}

KernelDescription description_of(const program::Kernel& kernel) {
  const auto& work = std::get<program::InstructionWork>(kernel.work);
  KernelDescription out{kernel.name, kernel.shape, {}, work.once_cycles, work.wave_cycles};
  for (const program::Segment& segment : work.segments) {
    SegmentDescription& described = out.segments.emplace_back();
    described.segment = segment;
    described.segment.batches.clear();
    for (const program::MemoryBatch& batch : segment.batches)
      described.accesses.push_back({.batch = batch});
  }
  return out;
}

}  // namespace septet::explain
