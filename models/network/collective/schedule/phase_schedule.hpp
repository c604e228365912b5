// A schedule of phases (phases.hpp). A rank enters a phase when it has left the one before; what
// reaches it earlier counts when it enters. State: 4 bytes for each rank and phase.
#pragma once

#include <vector>

#include "models/network/collective/schedule/phases.hpp"
#include "models/network/collective/schedule/schedule.hpp"

namespace septet::network {

// Ranks as points of a box, nearest extent first.
class Levels {
 public:
  explicit Levels(std::vector<std::uint32_t> extents);

  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(extents_.size()); }
  std::uint32_t extent(std::uint32_t level) const { return extents_[level]; }
  std::uint32_t coordinate(std::uint32_t rank, std::uint32_t level) const {
    return rank / strides_[level] % extents_[level];
  }
  // The rank whose coordinate in `level` is `distance` further, around the end; distance < extent.
  std::uint32_t shifted(std::uint32_t rank, std::uint32_t level, std::uint32_t distance) const;

 private:
  std::vector<std::uint32_t> extents_;
  std::vector<std::uint32_t> strides_;
  std::uint32_t ranks_ = 1;
};

// Bytes and receiver of message `step` that `rank` sends in `phase`.
ChunkSend phase_send(const Levels& levels, const CollectivePhase& phase, Bytes bytes,
                     std::uint32_t rank, std::uint32_t step);

// All messages that `rank` sends in a phase that is a ring, as one.
ChunkSend ring_send(const Levels& levels, const CollectivePhase& phase, Bytes bytes,
                    std::uint32_t rank);

// The two sizes, a byte apart at most, that messages of `rank` in a ring may have.
struct ShareSizes {
  Bytes larger{};
  Bytes smaller{};
};
ShareSizes ring_sizes(const Levels& levels, const CollectivePhase& phase, Bytes bytes,
                      std::uint32_t rank);

class PhaseSchedule final : public Schedule {
 public:
  // `bytes` as CollectiveRequest has it.
  PhaseSchedule(Levels levels, std::vector<CollectivePhase> phases, Bytes bytes);

  std::uint32_t ranks() const override { return levels_.ranks(); }
  void join(std::uint32_t rank, Sends& sends) override;
  void receive(std::uint32_t to, std::uint64_t label, Sends& sends) override;
  bool finished(std::uint32_t rank) const override { return phase_[rank] == phases_.size(); }

 private:
  static constexpr std::uint32_t kNotJoined = UINT32_MAX;

  std::uint32_t& arrived(std::uint32_t rank, std::uint32_t phase) {
    return arrived_[static_cast<std::size_t>(rank) * phases_.size() + phase];
  }
  void enter(std::uint32_t rank, std::uint32_t phase, Sends& sends);
  void send(std::uint32_t rank, std::uint32_t phase, std::uint32_t step, Sends& sends) const;

  Levels levels_;
  std::vector<CollectivePhase> phases_;
  std::vector<std::uint32_t> steps_;  // by phase
  Bytes bytes_;
  std::vector<std::uint32_t> phase_;    // by rank: where it is
  std::vector<std::uint32_t> arrived_;  // by rank and phase: messages
};

}  // namespace septet::network
