// What a collective puts on each link, without running it.
#include <map>

#include "models/network/collective/schedule/phase_schedule.hpp"
#include "models/network/collective/schedule/recipe.hpp"

namespace septet {
namespace {

class Loads {
 public:
  Loads(Router& router, const Recipe& recipe) : router_(router), recipe_(recipe) {}

  void add(std::uint32_t from, std::uint32_t to, Bytes bytes) {
    for (const LinkId link :
         route_between(router_, recipe_.endpoints[from], recipe_.endpoints[to])) {
      by_link_[link] += bytes;
    }
  }

  std::vector<LinkLoad> all() const {
    std::vector<LinkLoad> out;
    for (const auto& [link, bytes] : by_link_) {
      if (bytes > Bytes{}) out.push_back({.link = link, .bytes = bytes});
    }
    return out;
  }

 private:
  Router& router_;
  const Recipe& recipe_;
  std::map<LinkId, Bytes> by_link_;
};

// All of a ring's messages of one rank go to the same other one.
void add_phase(Loads& loads, const Recipe& recipe, const Levels& levels,
               const CollectivePhase& phase, std::uint32_t rank) {
  const std::uint32_t steps = phase_steps(phase, levels.extent(phase.level));
  Bytes together{};
  for (std::uint32_t step = 0; step < steps; ++step) {
    const ChunkSend send = phase_send(levels, phase, recipe.request.bytes, rank, step);
    together += send.bytes;
    if (phase.pattern == PhasePattern::kRing && step + 1 < steps) continue;
    loads.add(send.from, send.to, together);
    together = {};
  }
}

void add_trees(Loads& loads, const Forest& forest) {
  for (const TreeNode& node : forest.nodes) {
    if (node.parent == kNoParent) continue;
    const std::uint32_t above = forest.nodes[node.parent].endpoint;
    if (forest.reduces) loads.add(node.endpoint, above, forest.bytes[node.tree]);
    if (forest.broadcasts) loads.add(above, node.endpoint, forest.bytes[node.tree]);
  }
}

}  // namespace

std::vector<LinkLoad> link_loads(Router& router, const Recipe& recipe) {
  Loads loads(router, recipe);
  add_trees(loads, recipe.forest);
  if (!recipe.phases.empty()) {
    const Levels levels(recipe.extents);
    for (const CollectivePhase& phase : recipe.phases) {
      for (std::uint32_t rank = 0; rank < recipe.ranks(); ++rank) {
        add_phase(loads, recipe, levels, phase, rank);
      }
    }
  }
  return loads.all();
}

}  // namespace septet
