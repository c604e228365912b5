// Collectives over one or more levels of a group, as phases one after the other, each inside the
// lines of one level: ring and direct algorithms, and hierarchical ones as several levels.
//
// A group with the extents {8, 512} reduces like this: reduce-scatter among 8, reduce-scatter and
// all-gather of an eighth among 512, all-gather among 8 (as BlueConnect: M. Cho et al., MLSys
// 2019). One level alone is the plain ring (2 (n - 1) steps) or direct algorithm.
#pragma once

#include <cstdint>
#include <vector>

#include "models/network/collective/collective.hpp"

namespace septet::network {

enum class PhasePattern : std::uint8_t {
  kRing,   // n - 1 steps to the next one, each after what came in the step before
  kDirect  // all n - 1 others at once
};

enum class PhasePart : std::uint8_t {
  kReduceScatter,  // from the level's block to one share of it
  kAllGather,      // back
  kAllToAll,       // a share of the whole for each other one
  kShift           // the whole to the next one
};

struct CollectivePhase {
  PhasePart part = PhasePart::kReduceScatter;
  PhasePattern pattern = PhasePattern::kRing;
  std::uint32_t level = 0;

  bool operator==(const CollectivePhase&) const = default;
};

// Messages that each rank sends in a phase, and receives.
inline std::uint32_t phase_steps(const CollectivePhase& phase, std::uint32_t extent) {
  return phase.part == PhasePart::kShift ? 1 : extent - 1;
}

// Which pattern each level uses.
using LevelPatterns = std::vector<PhasePattern>;

// Of an operation that has such a form: not a broadcast or a single message, no ring of all-to-all.
std::vector<CollectivePhase> phases_of(program::CollectiveOp op, const LevelPatterns& patterns);

}  // namespace septet::network
