// SHARP: in-network reduction by the switches (R. Graham et al., "Scalable Hierarchical Aggregation
// Protocol", COM-HPC 2016). For each rail a tree with its share of the data: the GPUs of a node
// hand it to that on the rail, these to the switches, up to one where all paths meet, and back. The
// group's first extent is the number of rails where there are two. Used only if requested.
#include <algorithm>
#include <unordered_map>

#include "models/network/collective/algorithms/algorithm.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet::network {
namespace {

using enum program::CollectiveOp;

bool reduces_in_network(VertexKind kind) {
  return kind == VertexKind::kLeaf || kind == VertexKind::kSpine || kind == VertexKind::kRouter ||
         kind == VertexKind::kSwitch;
}

// Switches of the network on the way between two vertices, in the order of travel.
std::vector<VertexId> switches_between(Router& router, VertexId from, VertexId to) {
  const Topology& topology = router.topology();
  std::vector<VertexId> out;
  for (const LinkId link : router.between(from, to)) {
    const VertexId vertex = topology.link(link).to;
    if (reduces_in_network(topology.vertex(vertex).kind)) out.push_back(vertex);
  }
  return out;
}

// The switches of one tree, as its nodes.
class SwitchTree {
 public:
  SwitchTree(Router& router, AlgorithmPlan& plan) : router_(router), plan_(plan) {}

  // The parent node of `gpu`; creates the nodes between it and the root.
  std::uint32_t above(VertexId gpu, VertexId root) {
    std::uint32_t parent = kNoParent;
    std::vector<VertexId> path = switches_between(router_, gpu, root);
    std::ranges::reverse(path);
    for (const VertexId vertex : path) parent = node(vertex, parent);
    return parent;
  }

 private:
  std::uint32_t node(VertexId vertex, std::uint32_t parent) {
    const auto [found, is_new] = nodes_.emplace(vertex, 0);
    if (is_new) {
      Forest& forest = plan_.forest;
      found->second = forest.add({.endpoint = static_cast<std::uint32_t>(plan_.endpoints.size()),
                                  .parent = parent,
                                  .tree = static_cast<std::uint32_t>(forest.bytes.size() - 1),
                                  .contributes = false,
                                  .receives = false});
      plan_.endpoints.push_back({.vertex = vertex});
    }
    return found->second;
  }

  Router& router_;
  AlgorithmPlan& plan_;
  std::unordered_map<VertexId, std::uint32_t> nodes_;
};

// Where the paths of a rail meet: the middle of the path between its first and its last GPU.
VertexId meeting_switch(Router& router, const CollectiveRequest& request, std::uint32_t first,
                        std::uint32_t last) {
  const Topology& topology = router.topology();
  const std::vector<VertexId> path = switches_between(
      router, topology.gpu_vertex(request.gpus[first]), topology.gpu_vertex(request.gpus[last]));
  if (path.empty()) {
    throw ConfigError::value({}, group_text(request), "sharp without switches",
                             "ranks connected by switches");
  }
  return path[path.size() / 2];
}

void add_rail(Router& router, std::uint32_t rail, std::uint32_t rails, AlgorithmPlan& plan) {
  const CollectiveRequest& request = plan.request;
  const std::uint32_t ranks = plan.ranks();
  const auto tree = static_cast<std::uint32_t>(plan.forest.bytes.size());
  plan.forest.bytes.push_back(share_of(request.bytes, rails, rail));
  const VertexId root = meeting_switch(router, request, rail, ranks - rails + rail);
  SwitchTree switches(router, plan);
  for (std::uint32_t base = 0; base < ranks; base += rails) {
    const VertexId gpu = router.topology().gpu_vertex(request.gpus[base + rail]);
    const std::uint32_t parent = switches.above(gpu, root);
    const std::uint32_t head =
        plan.forest.add({.endpoint = base + rail, .parent = parent, .tree = tree});
    for (std::uint32_t i = 0; i < rails; ++i) {
      if (i != rail) plan.forest.add({.endpoint = base + i, .parent = head, .tree = tree});
    }
  }
}

void lay_out(Router& router, AlgorithmPlan& plan) {
  const auto extents = group_extents(router.topology(), plan.request.gpus);
  const std::uint32_t rails = extents.size() > 1 ? extents.front() : 1;
  for (std::uint32_t rail = 0; rail < rails; ++rail) add_rail(router, rail, rails, plan);
}

}  // namespace

constinit const Algorithm kSharpAlgorithm = {.name = program::CollectiveAlgorithm::kSharp,
                                             .ops = {kAllReduce},
                                             .flags = false,
                                             .in_switches = true,
                                             .lay_out = lay_out};

}  // namespace septet::network
