#include "models/network/collective/schedule/recipe.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/schedule/group.hpp"
#include "models/network/collective/schedule/phase_schedule.hpp"
#include "models/network/collective/schedule/switch_trees.hpp"
#include "models/network/collective/schedule/tree_schedule.hpp"
#include "models/network/collective/terms.hpp"

namespace septet {
namespace {

constexpr std::int64_t kMostChunks = 1 << 20;  // of a tree

bool is_phased(CollectiveOp op) {
  return op == CollectiveOp::kAllReduce || op == CollectiveOp::kAllGather ||
         op == CollectiveOp::kReduceScatter;
}

CollectiveAlgorithm chosen(const CollectiveRequest& request, std::size_t levels) {
  if (request.algorithm != CollectiveAlgorithm::kAuto) return request.algorithm;
  if (request.op == CollectiveOp::kAllToAll) return CollectiveAlgorithm::kDirect;
  return levels > 1 && is_phased(request.op) ? CollectiveAlgorithm::kHierarchical
                                             : CollectiveAlgorithm::kRing;
}

[[noreturn]] void refuse(const Recipe& recipe, const std::string& wanted) {
  throw ConfigError::value({}, group_text(recipe.request),
                           "algorithm " + std::string(text_of(recipe.algorithm)), wanted);
}

// Of a group that has no levels as it is: what it lacks.
std::string wanted_for_levels(const Topology& topology, std::vector<std::uint32_t> gpus) {
  std::ranges::sort(gpus, {}, [&](auto gpu) { return std::pair(topology.node_of(gpu), gpu); });
  const bool in_order = group_extents(topology, gpus).size() > 1;
  return in_order ? "ranks ordered by node" : "several nodes with equally many ranks in each";
}

// Ranks of one level, all of them, unless the algorithm is hierarchical.
void lay_phases(const Topology& topology, Recipe& recipe,
                const std::vector<std::uint32_t>& extents) {
  const CollectiveOp op = recipe.request.op;
  if (op == CollectiveOp::kBroadcast) refuse(recipe, algorithms_of(op) + " for broadcast");
  const bool levels = recipe.algorithm == CollectiveAlgorithm::kHierarchical;
  if (levels && op == CollectiveOp::kSendReceive) refuse(recipe, "ring or direct");
  if (levels && extents.size() < 2) {
    refuse(recipe, wanted_for_levels(topology, recipe.request.gpus));
  }
  recipe.extents = levels ? extents : std::vector{recipe.ranks()};
  const bool direct =
      recipe.algorithm == CollectiveAlgorithm::kDirect || (levels && op == CollectiveOp::kAllToAll);
  const PhasePattern pattern = direct ? PhasePattern::kDirect : PhasePattern::kRing;
  recipe.phases = phases_of(op, LevelPatterns(recipe.extents.size(), pattern));
}

void plant_trees(Router& router, Recipe& recipe, const std::vector<std::uint32_t>& extents) {
  const CollectiveRequest& request = recipe.request;
  const bool broadcast = request.op == CollectiveOp::kBroadcast;
  if (recipe.algorithm == CollectiveAlgorithm::kRing) {
    recipe.forest = broadcast_chain(recipe.ranks(), request.peer, request.bytes);
  } else if (recipe.algorithm == CollectiveAlgorithm::kNvls) {
    recipe.forest = nvls_trees(router, request, recipe.endpoints);
  } else if (recipe.algorithm == CollectiveAlgorithm::kSharp) {
    recipe.forest = sharp_trees(router, request, extents, recipe.endpoints);
  } else if (broadcast) {
    recipe.forest = broadcast_tree(recipe.ranks(), request.peer, request.bytes);
  } else if (request.op == CollectiveOp::kAllReduce) {
    recipe.forest = double_binary_trees(recipe.ranks(), request.bytes);
  } else {
    refuse(recipe, "all_reduce or broadcast for trees");
  }
}

std::uint32_t chunk_count(const Recipe& recipe, Bytes tree_chunk) {
  const Bytes most = *std::ranges::max_element(recipe.forest.bytes);
  const std::int64_t chunks = (most.count() + tree_chunk.count() - 1) / tree_chunk.count();
  if (chunks > kMostChunks) {
    throw ConfigError::value({}, group_text(recipe.request),
                             fmt::format("{} chunks of a tree", chunks),
                             fmt::format("at most {}: larger chunks", kMostChunks));
  }
  return static_cast<std::uint32_t>(std::max<std::int64_t>(chunks, 1));
}

bool uses_trees(const Recipe& recipe) {
  if (recipe.algorithm == CollectiveAlgorithm::kRing) {
    return recipe.request.op == CollectiveOp::kBroadcast;
  }
  return recipe.algorithm == CollectiveAlgorithm::kTree ||
         recipe.algorithm == CollectiveAlgorithm::kNvls ||
         recipe.algorithm == CollectiveAlgorithm::kSharp;
}

}  // namespace

Recipe recipe_of(Router& router, const CollectiveRequest& request, Bytes tree_chunk) {
  SEPTET_ASSERT(tree_chunk > Bytes{});
  const Topology& topology = router.topology();
  check_group(topology, request);
  const std::vector<std::uint32_t> extents = group_extents(topology, request.gpus);
  Recipe recipe{.request = request, .algorithm = chosen(request, extents.size())};
  for (const std::uint32_t gpu : request.gpus) {
    recipe.endpoints.push_back({.vertex = topology.gpu_vertex(gpu), .gpu = gpu});
  }
  if (uses_trees(recipe)) {
    plant_trees(router, recipe, extents);
    recipe.chunks = chunk_count(recipe, tree_chunk);
  } else {
    lay_phases(topology, recipe, extents);
  }
  return recipe;
}

Route route_of(Router& router, const Recipe& recipe, std::uint32_t from, std::uint32_t to) {
  try {
    return route_between(router, recipe.endpoints[from], recipe.endpoints[to]);
  } catch (const ConfigError& error) {
    throw_pathless(recipe.request, from, to, error);
  }
}

std::uint64_t messages_at_once(const Recipe& recipe, const CollectivePhase& phase) {
  const bool ring = phase.pattern == PhasePattern::kRing;
  return std::uint64_t{recipe.ranks()} *
         (ring ? 1 : phase_steps(phase, recipe.extents[phase.level]));
}

std::uint64_t messages_at_once(const Recipe& recipe) {
  std::uint64_t most = 0;
  for (const CollectivePhase& phase : recipe.phases) {
    most = std::max(most, messages_at_once(recipe, phase));
  }
  return most;
}

std::unique_ptr<Schedule> make_schedule(const Recipe& recipe) {
  if (!recipe.phases.empty()) {
    return std::make_unique<PhaseSchedule>(Levels(recipe.extents), recipe.phases,
                                           recipe.request.bytes);
  }
  return std::make_unique<TreeSchedule>(recipe.forest, recipe.ranks(), recipe.chunks);
}

}  // namespace septet
