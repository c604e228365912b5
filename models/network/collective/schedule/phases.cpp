#include "models/network/collective/schedule/phases.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "models/network/collective/terms.hpp"

namespace septet {
namespace {

std::vector<CollectivePhase> each_level(PhasePart part, const LevelPatterns& patterns) {
  std::vector<CollectivePhase> out;
  for (std::uint32_t level = 0; level < patterns.size(); ++level) {
    out.push_back({.part = part, .pattern = patterns[level], .level = level});
  }
  return out;
}

[[noreturn]] void throw_formless(CollectiveOp op, const std::string& got,
                                 const std::string& wanted) {
  throw ConfigError::value({}, std::string(text_of(op)), got, wanted);
}

std::vector<CollectivePhase> all_to_all(const LevelPatterns& patterns) {
  if (std::ranges::count(patterns, PhasePattern::kRing) > 0) {
    throw_formless(CollectiveOp::kAllToAll, "ring", "direct, or hierarchical of direct levels");
  }
  return each_level(PhasePart::kAllToAll, patterns);
}

}  // namespace

std::vector<CollectivePhase> phases_of(CollectiveOp op, const LevelPatterns& patterns) {
  std::vector<CollectivePhase> inward = each_level(PhasePart::kReduceScatter, patterns);
  std::vector<CollectivePhase> outward = each_level(PhasePart::kAllGather, patterns);
  std::ranges::reverse(outward);
  switch (op) {
    case CollectiveOp::kAllReduce:
      inward.insert(inward.end(), outward.begin(), outward.end());
      return inward;
    case CollectiveOp::kReduceScatter:
      return inward;
    case CollectiveOp::kAllGather:
      return outward;
    case CollectiveOp::kAllToAll:
      return all_to_all(patterns);
    case CollectiveOp::kSendReceive:
      return {{.part = PhasePart::kShift, .pattern = PhasePattern::kRing, .level = 0}};
    default:
      throw_formless(op, "phases over levels", "a tree or a chain");
  }
}

}  // namespace septet
