#include "models/network/collective/schedule/phases.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::network {
namespace {

std::vector<CollectivePhase> each_level(PhasePart part, const LevelPatterns& patterns) {
  std::vector<CollectivePhase> out;
  for (std::uint32_t level = 0; level < patterns.size(); ++level) {
    out.push_back({.part = part, .pattern = patterns[level], .level = level});
  }
  return out;
}

}  // namespace

std::vector<CollectivePhase> phases_of(program::CollectiveOp op, const LevelPatterns& patterns) {
  std::vector<CollectivePhase> inward = each_level(PhasePart::kReduceScatter, patterns);
  std::vector<CollectivePhase> outward = each_level(PhasePart::kAllGather, patterns);
  std::ranges::reverse(outward);
  switch (op) {
    case program::CollectiveOp::kAllReduce:
      inward.insert(inward.end(), outward.begin(), outward.end());
      return inward;
    case program::CollectiveOp::kReduceScatter:
      return inward;
    case program::CollectiveOp::kAllGather:
      return outward;
    case program::CollectiveOp::kAllToAll:
      SEPTET_ASSERT(std::ranges::count(patterns, PhasePattern::kRing) == 0);
      return each_level(PhasePart::kAllToAll, patterns);
    case program::CollectiveOp::kSendReceive:
      return {{.part = PhasePart::kShift, .pattern = PhasePattern::kRing, .level = 0}};
    default:
      SEPTET_ASSERT(!"an operation without phases");
      return {};
  }
}

}  // namespace septet::network
