// All collective algorithms, and the operations and protocols that they support.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/network/collective/algorithms/algorithm.hpp"

namespace septet::network {

// Each in the file of its name.
extern const Algorithm kHierarchicalAlgorithm, kRingAlgorithm, kTreeAlgorithm, kDirectAlgorithm,
    kNvlsAlgorithm, kSharpAlgorithm;

// In the order of preference for ties.
inline constexpr std::array<const Algorithm*, kEnumSize<program::CollectiveAlgorithm> - 1>
    kAlgorithms = {&kHierarchicalAlgorithm, &kRingAlgorithm, &kTreeAlgorithm,
                   &kDirectAlgorithm,       &kNvlsAlgorithm, &kSharpAlgorithm};

// Of any but kAuto.
const Algorithm& algorithm_of(program::CollectiveAlgorithm name);

// The algorithms that support the operation, for messages: "direct or hierarchical".
std::string algorithms_of(program::CollectiveOp op);

// An invalid combination, whatever the network: the wrong key, "algorithm" or "protocol", and its
// valid values.
struct Mismatch {
  const char* key = "";
  std::string wanted;
};
// kAuto is compatible with everything.
std::optional<Mismatch> mismatch(program::CollectiveOp op, program::CollectiveAlgorithm algorithm,
                                 program::CollectiveProtocol protocol);
// Throws ConfigError that names `who` if the request has an invalid combination.
void check_terms(const CollectiveRequest& request, const std::string& who);

// Candidates for a request over a topology, in the order of kAlgorithms: what it names, or all
// that suit operation and group; those that reduce in switches only if `switches`. At least one.
std::vector<const Algorithm*> candidates(const Topology& topology, const CollectiveRequest& request,
                                         bool switches);

// Trees send their data in chunks of at most this size.
constexpr Bytes kTreeChunk = Bytes(128 * 1024);

// The steps of a request, of kAuto by its first candidate. Throws ConfigError naming operation and
// ranks where the group cannot work (schedule/group.hpp) or the algorithm cannot do the operation.
AlgorithmPlan algorithm_plan(Router& router, const CollectiveRequest& request,
                             Bytes tree_chunk = kTreeChunk);

}  // namespace septet::network
