// The plan of an algorithm for a request over a topology: its steps, as phases over levels or as
// trees. Made by algorithms/registry.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/network/collective/collective.hpp"
#include "models/network/collective/schedule/phases.hpp"
#include "models/network/collective/schedule/schedule.hpp"
#include "models/network/collective/schedule/trees.hpp"
#include "models/network/topology/router.hpp"

namespace septet::network {

// Immutable once made; schedules refer to it.
struct AlgorithmPlan {
  CollectiveRequest request;
  program::CollectiveAlgorithm algorithm = program::CollectiveAlgorithm::kRing;  // never kAuto
  std::vector<Endpoint> endpoints = {};     // ranks, then switches
  std::vector<std::uint32_t> extents = {};  // of the levels of the phases
  std::vector<CollectivePhase> phases = {};
  Forest forest = {};
  std::uint32_t chunks = 1;  // of each tree

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(request.gpus.size()); }
  // The operation's phases over levels of these extents.
  void set_phases(std::vector<std::uint32_t> of_levels, PhasePattern pattern);
};

// `plan` must outlive the schedule.
std::unique_ptr<Schedule> make_schedule(const AlgorithmPlan& plan);

// What messages from one endpoint to another take. Throws ConfigError naming operation, ranks and
// GPUs where there is no path.
Route route_of(Router& router, const AlgorithmPlan& plan, std::uint32_t from, std::uint32_t to);

// What each link carries in all, by number of the link; links without bytes are left out. Throws
// ConfigError where that means more than kMostRoutes of them, some 10 s.
std::vector<LinkLoad> link_loads(Router& router, const AlgorithmPlan& plan);
constexpr std::uint64_t kMostRoutes = 1U << 23U;

// The messages of a phase that are under way at once, and the largest of them over all phases; 0
// for trees, which have few.
std::uint64_t messages_at_once(const AlgorithmPlan& plan, const CollectivePhase& phase);
std::uint64_t messages_at_once(const AlgorithmPlan& plan);

}  // namespace septet::network
