#include "models/network/collective/schedule/switch_trees.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/base/error.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet {
namespace {

bool reduces_in_network(VertexKind kind) {
  return kind == VertexKind::kLeaf || kind == VertexKind::kSpine || kind == VertexKind::kRouter ||
         kind == VertexKind::kSwitch;
}

[[noreturn]] void refuse(const CollectiveRequest& request, const std::string& got,
                         const std::string& wanted) {
  throw ConfigError::value({}, group_text(request), got, wanted);
}

bool joined_to(const Topology& topology, VertexId gpu, VertexId middle) {
  const auto [first, last] = topology.links_from(gpu);
  for (LinkId link = first; link < last; ++link) {
    if (topology.link(link).to == middle && !topology.link(link).failed) return true;
  }
  return false;
}

// The switch that all ranks have a link to.
VertexId common_switch(Router& router, const CollectiveRequest& request) {
  const Topology& topology = router.topology();
  const Route route = router.route(request.gpus[0], request.gpus[1]);
  const VertexId middle = topology.link(route.front()).to;
  const VertexKind kind = topology.vertex(middle).kind;
  if (kind != VertexKind::kNvSwitch && kind != VertexKind::kSwitch) {
    refuse(request, "nvls over " + topology.vertex(middle).name, "ranks at one NVSwitch");
  }
  for (const std::uint32_t gpu : request.gpus) {
    if (joined_to(topology, topology.gpu_vertex(gpu), middle)) continue;
    refuse(request, topology.gpu_name(gpu) + " without a link to " + topology.vertex(middle).name,
           "ranks at one NVSwitch");
  }
  return middle;
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
  SwitchTree(Router& router, Forest& forest, std::vector<Endpoint>& endpoints)
      : router_(router), forest_(forest), endpoints_(endpoints) {}

  // The node below which `gpu` hangs; makes the ones between it and the root.
  std::uint32_t above(VertexId gpu, VertexId root) {
    std::uint32_t parent = kNoParent;
    std::vector<VertexId> path = switches_between(router_, gpu, root);
    for (auto vertex = path.rbegin(); vertex != path.rend(); ++vertex) {
      parent = node(*vertex, parent);
    }
    return parent;
  }

 private:
  std::uint32_t node(VertexId vertex, std::uint32_t parent) {
    const auto [found, is_new] = nodes_.emplace(vertex, 0);
    if (is_new) {
      found->second = forest_.add({.endpoint = static_cast<std::uint32_t>(endpoints_.size()),
                                   .parent = parent,
                                   .tree = static_cast<std::uint32_t>(forest_.bytes.size() - 1),
                                   .contributes = false,
                                   .receives = false});
      endpoints_.push_back({.vertex = vertex});
    }
    return found->second;
  }

  Router& router_;
  Forest& forest_;
  std::vector<Endpoint>& endpoints_;
  std::unordered_map<VertexId, std::uint32_t> nodes_;
};

// Where the paths of a rail meet: the middle of the path between its first and its last GPU.
VertexId meeting_switch(Router& router, const CollectiveRequest& request, std::uint32_t first,
                        std::uint32_t last) {
  const Topology& topology = router.topology();
  const std::vector<VertexId> path = switches_between(
      router, topology.gpu_vertex(request.gpus[first]), topology.gpu_vertex(request.gpus[last]));
  if (path.empty()) refuse(request, "sharp without switches", "ranks joined by switches");
  return path[path.size() / 2];
}

void add_rail(Router& router, const CollectiveRequest& request, std::uint32_t rail,
              std::uint32_t rails, Forest& forest, std::vector<Endpoint>& endpoints) {
  const Topology& topology = router.topology();
  const auto ranks = static_cast<std::uint32_t>(request.gpus.size());
  const auto tree = static_cast<std::uint32_t>(forest.bytes.size());
  forest.bytes.push_back(share_of(request.bytes, rails, rail));
  const VertexId root = meeting_switch(router, request, rail, ranks - rails + rail);
  SwitchTree switches(router, forest, endpoints);
  for (std::uint32_t base = 0; base < ranks; base += rails) {
    const VertexId gpu = topology.gpu_vertex(request.gpus[base + rail]);
    const std::uint32_t parent = switches.above(gpu, root);
    const std::uint32_t head =
        forest.add({.endpoint = base + rail, .parent = parent, .tree = tree});
    for (std::uint32_t i = 0; i < rails; ++i) {
      if (i != rail) forest.add({.endpoint = base + i, .parent = head, .tree = tree});
    }
  }
}

}  // namespace

Forest nvls_trees(Router& router, const CollectiveRequest& request,
                  std::vector<Endpoint>& endpoints) {
  Forest forest;
  forest.window = 2;  // a rank fetches its next chunk while it stores the one before
  forest.reduces = request.op != CollectiveOp::kAllGather;
  forest.broadcasts = request.op != CollectiveOp::kReduceScatter;
  if (request.op != CollectiveOp::kAllReduce && forest.reduces && forest.broadcasts) {
    refuse(request, "nvls", "all_reduce, reduce_scatter or all_gather");
  }
  const auto ranks = static_cast<std::uint32_t>(request.gpus.size());
  endpoints.push_back({.vertex = common_switch(router, request)});
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    forest.bytes.push_back(share_of(request.bytes, ranks, rank));
    const std::uint32_t keeper = forest.add({.endpoint = rank,
                                             .tree = rank,
                                             .contributes = !forest.reduces,
                                             .receives = !forest.broadcasts});
    const std::uint32_t middle = forest.add({.endpoint = ranks,
                                             .parent = keeper,
                                             .tree = rank,
                                             .contributes = false,
                                             .receives = false});
    for (std::uint32_t i = 0; i < ranks; ++i) {
      forest.add({.endpoint = i,
                  .parent = middle,
                  .tree = rank,
                  .contributes = forest.reduces,
                  .receives = forest.broadcasts});
    }
  }
  return forest;
}

Forest sharp_trees(Router& router, const CollectiveRequest& request,
                   const std::vector<std::uint32_t>& extents, std::vector<Endpoint>& endpoints) {
  if (request.op != CollectiveOp::kAllReduce) refuse(request, "sharp", "all_reduce");
  Forest forest;
  const std::uint32_t rails = extents.size() > 1 ? extents.front() : 1;
  for (std::uint32_t rail = 0; rail < rails; ++rail) {
    add_rail(router, request, rail, rails, forest, endpoints);
  }
  return forest;
}

}  // namespace septet
