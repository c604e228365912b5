// Collectives over a topology as one library plans them: inside a node of NVSwitches at full rate
// by its measured protocols (plan.hpp), elsewhere by what the slowest link carries.
//
// Elsewhere, with Simple's numbers of the library and, of each algorithm, its steps one after
// another and what each link carries in all (schedule/recipe.hpp):
//   startup  = start + sum over steps (step + latency of the route) + fill of the pipeline
//   transfer = max over links (bytes / rate) / share of a link that the protocol reaches
// Steps: of a level of n ranks n - 1 for each of its phases; of a tree its depth, once up and once
// down; the fill is one chunk on each step of a tree. The phases of several levels are pipelined,
// so the largest load counts, not their sum. All-reduce takes the ring, the levels or the double
// tree, whichever is over first, unless the request says.
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
#include "models/network/collective/plan.hpp"
#include "models/network/collective/schedule/recipe.hpp"
#include "models/network/topology/router.hpp"

namespace septet {

class ClusterNetwork : public CollectiveModel {
 public:
  // `library` by GPU; between nodes that of the usual ones counts.
  ClusterNetwork(Topology topology, Routing routing, const ByRange<CollectiveSpec>& library);

  // Throws ConfigError or ModelError naming the operation and its GPUs where the group cannot work.
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
  bool in_one_node(const CollectiveRequest& request) const;
  bool library_knows(const CollectiveRequest& request) const;
  bool switch_reduces(const CollectiveRequest& request) const;
  CollectivePlan inside_node(const CollectiveRequest& request) const;
  CollectivePlan between_nodes(const CollectiveRequest& request) const;
  CollectivePlan pair_between_nodes(const CollectiveRequest& request) const;
  std::vector<LinkLoad> pair_loads(const CollectiveRequest& request) const;
  Duration moving(const std::vector<LinkLoad>& loads) const;
  Duration step(std::uint32_t from_gpu, std::uint32_t to_gpu) const;
  Duration mean_step(const Recipe& recipe, std::uint32_t level) const;
  Duration steps_of(const Recipe& recipe) const;
  Duration tree_steps(const Recipe& recipe) const;

  const Topology topology_;
  const ByRange<CollectiveSpec> library_;
  const CollectiveSpec& between_;  // nodes
  mutable std::mutex mutex_;       // of the router, whose cache grows
  mutable Router router_;
};

}  // namespace septet
