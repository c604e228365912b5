// Changes of the instructions.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "scenarios/explain/changes.hpp"

namespace septet {
namespace {

// One of `parts` loops into which a loop is split; each has a counter and a branch of its own.
SegmentDescription part_of(const SegmentDescription& whole, double parts) {
  SegmentDescription out = whole;
  Segment& s = out.segment;
  for (std::size_t p = 0; p < kPipes; ++p) {
    if (static_cast<Pipe>(p) != Pipe::kBranch) s.instructions[p] /= parts;
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

Changes shorter_chain(const GpuSpec&, const KernelDescription& kernel) {
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
          "more independent instructions: a chain of {:.4g} cycles a turn "
          "instead of {:.4g}",
          least, chain);
    }
    chain = least;
  }
  if (out.text.empty()) return {};
  return {out};
}

// Bodies that load would have to pass what they loaded from part to part, so only those that don't.
Changes split_body(const GpuSpec& gpu, const KernelDescription& kernel) {
  const Bytes room = gpu.kernel.fetch.l0;
  Change out{{}, kernel};
  out.kernel.segments.clear();
  for (const SegmentDescription& described : kernel.segments) {
    const Segment& s = described.segment;
    const double parts = std::ceil(s.code_bytes / static_cast<double>(room.count()));
    if (parts <= 1 || s.repeat <= 1 || !described.accesses.empty()) {
      out.kernel.segments.push_back(described);
      continue;
    }
    out.text = fmt::format(
        "split the body of {:.0f} KiB into {} loops that the instruction buffer "
        "holds ({} each at most)",
        s.code_bytes / 1024, parts, to_text(room));
    out.kernel.segments.insert(out.kernel.segments.end(), static_cast<std::size_t>(parts),
                               part_of(described, parts));
  }
  if (out.text.empty()) return {};
  return {out};
}

}  // namespace septet
