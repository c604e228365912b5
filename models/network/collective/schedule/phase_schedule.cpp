#include "models/network/collective/schedule/phase_schedule.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace septet::network {
namespace {

// What the lines of `level` share out: the rank's share of all nearer levels.
Bytes block_of(const Levels& levels, Bytes bytes, std::uint32_t rank, std::uint32_t level) {
  for (std::uint32_t nearer = 0; nearer < level; ++nearer) {
    bytes = share_of(bytes, levels.extent(nearer), levels.coordinate(rank, nearer));
  }
  return bytes;
}

// Which share of its block a rank sends. Ring: so that rank c ends a reduce-scatter with share c,
// and starts an all-gather with it.
std::uint32_t share_sent(const CollectivePhase& phase, std::uint32_t extent, std::uint32_t own,
                         std::uint32_t step) {
  if (phase.pattern == PhasePattern::kDirect) {
    return phase.part == PhasePart::kAllGather ? own : (own + 1 + step) % extent;
  }
  const std::uint32_t behind = phase.part == PhasePart::kAllGather ? step : step + 1;
  return (own + extent - behind) % extent;
}

Bytes bytes_sent(const Levels& levels, const CollectivePhase& phase, Bytes bytes,
                 std::uint32_t rank, std::uint32_t step) {
  if (phase.part == PhasePart::kShift) return bytes;
  const std::uint32_t extent = levels.extent(phase.level);
  const bool whole = phase.part == PhasePart::kAllToAll;
  const Bytes block = whole ? bytes : block_of(levels, bytes, rank, phase.level);
  return share_of(block, extent,
                  share_sent(phase, extent, levels.coordinate(rank, phase.level), step));
}

}  // namespace

Levels::Levels(std::vector<std::uint32_t> extents) : extents_(std::move(extents)) {
  for (const std::uint32_t extent : extents_) {
    SEPTET_ASSERT(extent >= 1);
    strides_.push_back(ranks_);
    ranks_ *= extent;
  }
}

std::uint32_t Levels::shifted(std::uint32_t rank, std::uint32_t level,
                              std::uint32_t distance) const {
  const std::uint32_t own = coordinate(rank, level);
  const std::uint32_t stride = strides_[level];
  return own + distance < extents_[level] ? rank + distance * stride
                                          : rank - (extents_[level] - distance) * stride;
}

ChunkSend phase_send(const Levels& levels, const CollectivePhase& phase, Bytes bytes,
                     std::uint32_t rank, std::uint32_t step) {
  const std::uint32_t distance = phase.pattern == PhasePattern::kDirect ? step + 1 : 1;
  return {.from = rank,
          .to = levels.shifted(rank, phase.level, distance),
          .bytes = bytes_sent(levels, phase, bytes, rank, step)};
}

// Of its block a rank sends all shares but one: the one behind the last.
ChunkSend ring_send(const Levels& levels, const CollectivePhase& phase, Bytes bytes,
                    std::uint32_t rank) {
  ChunkSend send = phase_send(levels, phase, bytes, rank, 0);
  if (phase.part == PhasePart::kShift) return send;
  const std::uint32_t steps = phase_steps(phase, levels.extent(phase.level));
  const Bytes block = block_of(levels, bytes, rank, phase.level);
  send.bytes = block - bytes_sent(levels, phase, bytes, rank, steps);
  return send;
}

ShareSizes ring_sizes(const Levels& levels, const CollectivePhase& phase, Bytes bytes,
                      std::uint32_t rank) {
  if (phase.part == PhasePart::kShift) return {bytes, bytes};
  const std::uint32_t extent = levels.extent(phase.level);
  const Bytes block = block_of(levels, bytes, rank, phase.level);
  return {share_of(block, extent, 0), share_of(block, extent, extent - 1)};
}

PhaseSchedule::PhaseSchedule(Levels levels, std::vector<CollectivePhase> phases, Bytes bytes)
    : levels_(std::move(levels)),
      phases_(std::move(phases)),
      bytes_(bytes),
      phase_(levels_.ranks(), kNotJoined),
      arrived_(levels_.ranks() * phases_.size(), 0) {
  for (const CollectivePhase& phase : phases_) {
    steps_.push_back(phase_steps(phase, levels_.extent(phase.level)));
  }
}

void PhaseSchedule::send(std::uint32_t rank, std::uint32_t phase, std::uint32_t step,
                         Sends& sends) const {
  sends.push_back(phase_send(levels_, phases_[phase], bytes_, rank, step));
  sends.back().label = phase;
}

// Continues to later phases while all messages of one have arrived already.
void PhaseSchedule::enter(std::uint32_t rank, std::uint32_t phase, Sends& sends) {
  for (; phase < phases_.size(); ++phase) {
    const std::uint32_t here = arrived(rank, phase);
    const bool at_once = phases_[phase].pattern == PhasePattern::kDirect;
    const std::uint32_t due = at_once ? steps_[phase] : std::min(here + 1, steps_[phase]);
    for (std::uint32_t step = 0; step < due; ++step) send(rank, phase, step, sends);
    if (here < steps_[phase]) break;
  }
  phase_[rank] = phase;
}

void PhaseSchedule::join(std::uint32_t rank, Sends& sends) {
  SEPTET_ASSERT(phase_[rank] == kNotJoined);
  enter(rank, 0, sends);
}

void PhaseSchedule::receive(std::uint32_t to, std::uint64_t label, Sends& sends) {
  const auto phase = static_cast<std::uint32_t>(label);
  const std::uint32_t here = ++arrived(to, phase);
  if (phase_[to] != phase) return;
  if (here == steps_[phase]) return enter(to, phase + 1, sends);
  if (phases_[phase].pattern == PhasePattern::kRing) send(to, phase, here, sends);
}

}  // namespace septet::network
