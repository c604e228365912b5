// How a request is carried out: from operation, algorithm and topology to a schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/network/collective/collective.hpp"
#include "models/network/collective/schedule/phases.hpp"
#include "models/network/collective/schedule/schedule.hpp"
#include "models/network/collective/schedule/trees.hpp"
#include "models/network/topology/router.hpp"

namespace septet {

// Either phases over levels, or trees. Immutable once made; schedules refer to it.
struct Recipe {
  CollectiveRequest request;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::kRing;  // never kAuto
  std::vector<Endpoint> endpoints = {};                        // ranks, then switches
  std::vector<std::uint32_t> extents = {};                     // of the levels of the phases
  std::vector<CollectivePhase> phases = {};
  Forest forest = {};
  std::uint32_t chunks = 1;  // of each tree

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(request.gpus.size()); }
};

// Trees send their data in chunks of at most this size.
constexpr Bytes kTreeChunk = Bytes(128 * 1024);

// kAuto is hierarchical where the group has several levels, else ring; all-to-all is direct. It is
// not what a tuner of a library would choose. Throws ConfigError naming operation and ranks where
// the group cannot work (group.hpp) or the algorithm cannot do the operation.
Recipe recipe_of(Router& router, const CollectiveRequest& request, Bytes tree_chunk = kTreeChunk);

// `recipe` must outlive the schedule.
std::unique_ptr<Schedule> make_schedule(const Recipe& recipe);

// What messages from one endpoint to another take. Throws ConfigError naming operation, ranks and
// GPUs where there is no path.
Route route_of(Router& router, const Recipe& recipe, std::uint32_t from, std::uint32_t to);

// What each link carries in all, by number of the link; links without bytes are left out. Throws
// ConfigError where that means more than kMostRoutes of them, some 10 s.
std::vector<LinkLoad> link_loads(Router& router, const Recipe& recipe);
constexpr std::uint64_t kMostRoutes = 1U << 23U;

// The messages of a phase that are under way at once, and the largest of them over all phases; 0
// for trees, which have few.
std::uint64_t messages_at_once(const Recipe& recipe, const CollectivePhase& phase);
std::uint64_t messages_at_once(const Recipe& recipe);

}  // namespace septet
