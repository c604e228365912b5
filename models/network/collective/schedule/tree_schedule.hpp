// A schedule along trees: chunks go up as soon as all contributions from below have arrived, and
// down from the root. The root of a broadcast counts as finished when it has handed its chunks
// over.
#pragma once

#include <vector>

#include "models/network/collective/schedule/schedule.hpp"
#include "models/network/collective/schedule/trees.hpp"

namespace septet::network {

class TreeSchedule final : public Schedule {
 public:
  // `forest` must outlive the schedule; every tree is cut into `chunks`.
  TreeSchedule(const Forest& forest, std::uint32_t ranks, std::uint32_t chunks);

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(wanted_.size()); }
  void join(std::uint32_t rank, Sends& sends) override;
  void receive(std::uint32_t to, std::uint64_t label, Sends& sends) override;
  bool finished(std::uint32_t rank) const override { return joined_[rank] && wanted_[rank] == 0; }

 private:
  void index_children();
  void index_endpoints();
  void contribute(std::uint32_t node, std::uint32_t chunk, Sends& sends);
  // The result, or what is broadcast, has reached the node.
  void settle(std::uint32_t node, std::uint32_t chunk, Sends& sends);
  void send(std::uint32_t from, std::uint32_t to, std::uint32_t chunk, bool down,
            Sends& sends) const;

  const Forest& forest_;
  std::uint32_t chunks_;
  std::vector<std::uint32_t> first_child_;  // by node, into children_; one more at the end
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> first_place_;  // by endpoint, into places_; one more at the end
  std::vector<std::uint32_t> places_;       // nodes
  std::vector<std::uint32_t> missing_;      // by node and chunk: contributions, when reducing
  std::vector<std::uint32_t> held_;         // by node: chunks that came before the rank joined
  std::vector<std::uint64_t> wanted_;       // by rank: chunks that are to come
  std::vector<bool> joined_;                // by rank
};

}  // namespace septet::network
