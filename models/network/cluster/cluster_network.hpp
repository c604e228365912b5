// Collectives over a topology as one library plans them: inside a node of NVSwitches at full rate
// by its measured protocols, elsewhere by what the slowest link carries, in closed form; the choice
// is that of collective/algorithms/chooser.hpp in both.
//
// Ignored: LL and LL128 between nodes, which are refused, congestion inside one collective beyond a
// link's sum of bytes, reduction in switches of the network unless asked for. Compared with the
// message-by-message run (chunks/) in tests; no measured rows test it.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "core/base/by_range.hpp"
#include "models/network/collective/collective_model.hpp"
#include "models/network/collective/collective_spec.hpp"
#include "models/network/collective/protocol.hpp"
#include "models/network/topology/router.hpp"

namespace septet::network {

class ClusterNetwork : public CollectiveModel {
 public:
  // `library` by GPU; between nodes that of the usual ones counts.
  ClusterNetwork(Topology topology, Routing routing, const ByRange<CollectiveSpec>& library);

  // Throws ConfigError naming operation and ranks where the group cannot work.
  CollectivePlan plan(const CollectiveRequest& request) const override;
  std::uint32_t link_count() const override { return topology_.link_count(); }
  ByteRate link_rate(std::uint32_t link) const override { return topology_.link(link).rate; }
  double link_share(const CollectivePlan& plan) const override {
    return library_link_share(*this, plan);
  }
  std::optional<LinkEnds> link_ends(std::uint32_t link) const override;
  std::uint32_t gpu_count() const override { return topology_.gpu_count(); }
  // GPUs outside of any node are nodes of their own.
  std::uint32_t node_of(std::uint32_t gpu) const override;

 private:
  bool library_knows(const CollectiveRequest& request) const;
  bool switch_reduces(const CollectiveRequest& request) const;
  CollectivePlan inside_node(const CollectiveRequest& request) const;

  const Topology topology_;
  const ByRange<CollectiveSpec> library_;
  const CollectiveSpec& between_;  // nodes
  mutable std::mutex mutex_;       // of the router, whose cache grows
  mutable Router router_;
};

}  // namespace septet::network
