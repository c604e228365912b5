#include "scenarios/explain/validated_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace septet {
namespace {

void check(Validated what, double value, std::vector<std::string>& out) {
  const ValidatedRange& range = validated_range(what);
  if (value >= range.least && value <= range.most) return;
  const bool below = value < range.least;
  const double factor = below ? range.least / value : value / range.most;
  out.push_back(fmt::format(
      "{}: {:.6g} is {} the validated range of {:.6g} to {:.6g} (group {}) "
      "by a factor of {:.3g}",
      range.what, value, below ? "below" : "above", range.least, range.most, range.group, factor));
}

// Ways of the conflicts of the mean request to shared memory.
double conflict_ways(const SegmentDescription& described) {
  double requests = described.segment[Pipe::kMemory];
  for (const AccessDescription& access : described.accesses) requests -= access.batch.requests;
  return 1.0 + described.segment.shared_wavefronts / std::max(1.0, requests);
}

// The largest over the segments, so that each quantity is named once.
template <class Of>
double largest(const KernelDescription& kernel, Of of) {
  double out = 0;
  for (const SegmentDescription& described : kernel.segments) out = std::max(out, of(described));
  return out;
}

template <class Of>
double largest_access(const KernelDescription& kernel, Of of) {
  return largest(kernel, [&](const SegmentDescription& described) {
    double out = 0;
    for (const AccessDescription& access : described.accesses) out = std::max(out, of(access));
    return out;
  });
}

}  // namespace

const ValidatedRange& validated_range(Validated what) {
  static const std::array<ValidatedRange, 6> kRanges = {{
      {"threads of a block", 32, 1024, "memory"},
      {"blocks", 1, 8'388'608, "claim"},
      {"loads of a warp in flight", 0, 8, "memory"},
      {"bytes of a segment's code", 0, 262'144, "compute"},
      {"bytes of random access", 0, 536'870'912, "memory"},
      {"mean ways of bank conflicts", 1, 8, "memory"},
  }};
  return kRanges[static_cast<std::size_t>(what)];
}

std::vector<std::string> range_warnings(const KernelDescription& kernel) {
  std::vector<std::string> out;
  check(Validated::kThreads, static_cast<double>(kernel.shape.threads_per_block()), out);
  check(Validated::kBlocks, static_cast<double>(kernel.shape.blocks()), out);
  check(Validated::kLoads,
        largest_access(kernel,
                       [](const AccessDescription& access) {
                         return access.batch.write ? 0.0 : access.batch.requests;
                       }),
        out);
  check(Validated::kCode,
        largest(kernel, [](const SegmentDescription& s) { return s.segment.code_bytes; }), out);
  check(Validated::kFootprint,
        largest_access(
            kernel, [](const AccessDescription& access) { return access.batch.footprint_bytes; }),
        out);
  check(Validated::kConflicts, largest(kernel, conflict_ways), out);
  return out;
}

}  // namespace septet
