#include "scenarios/analysis/bottleneck.hpp"

#include <map>

namespace septet::analysis {
namespace {

bool names_kernels(LinkKind kind) {
  return kind == LinkKind::kKernel || kind == LinkKind::kCommunication ||
         kind == LinkKind::kWaitingForRanks;
}

}  // namespace

RunBottleneck bottleneck_of(const std::vector<PathLink>& path, Duration span) {
  std::map<LinkKind, Duration> kinds;
  for (const PathLink& link : path) kinds[link.kind] += link.end - link.begin;
  RunBottleneck out;
  if (span <= Duration(0)) return out;
  for (const auto& [kind, time] : kinds) {
    if (ratio(time, span) <= out.share) continue;
    out.kind = kind;
    out.share = ratio(time, span);
  }
  if (!names_kernels(out.kind)) return out;
  std::map<std::int32_t, Duration> kernels;
  for (const PathLink& link : path) {
    if (link.kind == out.kind) kernels[link.name] += link.end - link.begin;
  }
  for (const auto& [kernel, time] : kernels) {
    if (ratio(time, span) <= out.kernel_share) continue;
    out.kernel = kernel;
    out.kernel_share = ratio(time, span);
  }
  return out;
}

}  // namespace septet::analysis
