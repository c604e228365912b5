// Collectives over a topology as a library plans them: inside a node with NVSwitches at full rate
// by its measured protocols, elsewhere by the load of the slowest link, in closed form;
// collective/algorithms/chooser.hpp makes the choice in both cases.
//
// Ignored: LL and LL128 between nodes, which are rejected; congestion within a collective beyond a
// link's sum of bytes; in-switch reduction in the network unless requested. Tests compare it with
// the message-by-message simulation (chunks/); there are no measured rows.
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

  // Throws ConfigError naming operation and ranks if the group is invalid.
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
