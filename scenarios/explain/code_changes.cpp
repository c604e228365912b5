// Changes of the instructions.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "scenarios/explain/changes.hpp"

namespace septet::explain {
namespace {

constexpr double kLanes = 32;

// One of `parts` loops into which a loop is split; each has a counter and a branch of its own.
SegmentDescription part_of(const SegmentDescription& whole, double parts) {
  SegmentDescription out = whole;
  program::Segment& s = out.segment;
  for (std::size_t p = 0; p < kEnumSize<program::Pipe>; ++p) {
    if (static_cast<program::Pipe>(p) != program::Pipe::kBranch) s.instructions[p] /= parts;
    s.bank_conflicts[p] /= parts;
  }
  s.chain_cycles /= parts;
  s.shared_wavefronts /= parts;
  s.code_bytes /= parts;
  s.async_tensor_cycles /= parts;
  out.barrier_cycles /= parts;
  return out;
}

}  // namespace

Changes shorter_chain(const gpu::GpuSpec&, const KernelDescription& kernel) {
  Change out{{}, kernel};
  double longest = 0;
  for (SegmentDescription& described : out.kernel.segments) {
    double& chain = described.segment.chain_cycles;
    const double fixed = described.barrier_cycles;
    const double least = fixed + std::max(described.issued(), 0.5 * (chain - fixed));
    if (chain <= least) continue;
    if (chain * described.segment.repeat > longest) {
      longest = chain * described.segment.repeat;
      out.text = fmt::format(
          "more independent instructions: a chain of {:.4g} cycles per iteration instead of {:.4g}",
          least, chain);
    }
    chain = least;
  }
  if (out.text.empty()) return {};
  return {out};
}

// Bodies with loads would have to pass data from part to part, so they are excluded.
Changes split_body(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const Bytes room = gpu.kernel.fetch.l0;
  Change out{{}, kernel};
  out.kernel.segments.clear();
  for (const SegmentDescription& described : kernel.segments) {
    const program::Segment& s = described.segment;
    const double parts = std::ceil(s.code_bytes / static_cast<double>(room.count()));
    if (parts <= 1 || s.repeat <= 1 || !described.accesses.empty()) {
      out.kernel.segments.push_back(described);
      continue;
    }
    out.text = fmt::format(
        "split the body of {:.0f} KiB into {} loops that fit in the instruction buffer (at most {} "
        "each)",
        s.code_bytes / 1024, parts, to_text(room));
    out.kernel.segments.insert(out.kernel.segments.end(), static_cast<std::size_t>(parts),
                               part_of(described, parts));
  }
  if (out.text.empty()) return {};
  return {out};
}

// Paths of a warp run one after the other with the other lanes off: regrouped, as many warp
// instructions do as whole warps need. Access to memory stays.
Changes uniform_paths(const gpu::GpuSpec&, const KernelDescription& kernel) {
  Change out{{}, kernel};
  double fewest = kLanes;
  for (SegmentDescription& described : out.kernel.segments) {
    const double share = described.active_lanes / kLanes;
    if (share >= 1) continue;
    fewest = std::min(fewest, described.active_lanes);
    program::Segment& s = described.segment;
    for (std::size_t p = 0; p < kEnumSize<program::Pipe>; ++p) {
      if (static_cast<program::Pipe>(p) == program::Pipe::kLsu) continue;
      s.instructions[p] *= share;
      s.bank_conflicts[p] *= share;
    }
    const double barrier = described.barrier_cycles;
    if (s.chain_cycles > 0) s.chain_cycles = barrier + (s.chain_cycles - barrier) * share;
    described.active_lanes = kLanes;
  }
  if (fewest == kLanes) return {};
  out.text = fmt::format(
      "sort or regroup the work so that whole warps take the same path: now {:.3g} of 32 threads "
      "are active per instruction",
      fewest);
  return {out};
}

// Exchanges within a warp by shuffles. Of a tree over the threads of a block, 5 levels are inside
// warps. A shuffle does the work of 17 / 5 requests to shared memory, as counted in the code of
// reductions by both (data/measurements/h200/claim.jsonl, warp_reduce).
Changes warp_primitives(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  constexpr double kRequestsOfShuffle = 17.0 / 5;
  constexpr double kLevelsOfWarp = 5;
  const double levels = std::log2(static_cast<double>(kernel.shape.threads_per_block()));
  const double share = std::min(1.0, kLevelsOfWarp / std::max(1.0, levels));
  const double shorter = std::max(
      0.0, gpu.kernel.memory.shared_latency - gpu.kernel.pipe(program::Pipe::kShuffle).latency);
  Change out{{}, kernel};
  double replaced = 0;
  for (SegmentDescription& described : out.kernel.segments) {
    program::Segment& s = described.segment;
    double requests = s[program::Pipe::kLsu];
    for (const AccessDescription& access : described.accesses) requests -= access.batch.requests;
    if (described.barrier_cycles <= 0 || requests < kRequestsOfShuffle) continue;
    const double shuffles = share * requests / kRequestsOfShuffle;
    replaced += s.repeat * share * requests;
    s[program::Pipe::kLsu] -= share * requests;
    s[program::Pipe::kShuffle] += shuffles;
    s.shared_wavefronts *= 1.0 - share;
    const double chain = s.chain_cycles - described.barrier_cycles - shuffles * shorter;
    described.barrier_cycles *= 1.0 - share;
    s.chain_cycles = std::max(chain, described.issued()) + described.barrier_cycles;
  }
  if (replaced == 0) return {};
  out.text = fmt::format(
      "exchange values within warps by shuffles and reductions instead of shared memory and "
      "barriers: {:.4g} fewer requests per warp",
      replaced);
  return {out};
}

}  // namespace septet::explain
