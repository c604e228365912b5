// Collective requests, and the plan that a communication library makes for one: shared by programs,
// topologies, cost models and the simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/quantity.hpp"
#include "models/program/collective_terms.hpp"

namespace septet::network {

// One collective over a group. `bytes` by operation: all-reduce, broadcast, send and receive: the
// buffer of one rank; all-gather: the whole output; reduce-scatter, all-to-all: the whole input of
// one rank.
struct CollectiveRequest {
  program::CollectiveOp op = program::CollectiveOp::kAllReduce;
  Bytes bytes{};
  std::vector<std::uint32_t> gpus;  // by rank: number of the GPU in the topology
  std::uint32_t peer = 0;           // rank: the root of a broadcast, the partner of a send
  program::CollectiveAlgorithm algorithm = program::CollectiveAlgorithm::kAuto;
  program::CollectiveProtocol protocol = program::CollectiveProtocol::kAuto;
  std::uint32_t channels = 0;  // 0: what the tuner picks
};

// "all_reduce over 8 ranks"
std::string group_text(const CollectiveRequest& request);

// Throws ConfigError that names operation and ranks: a group of one, a GPU twice, a root or a peer
// that is no rank, a negative size.
void check_group(const CollectiveRequest& request);

// Bytes that one directed link carries for one collective.
struct LinkLoad {
  std::uint32_t link = 0;
  Bytes bytes{};
};

// The library's plan for a request on an idle network.
struct CollectivePlan {
  program::CollectiveAlgorithm algorithm = program::CollectiveAlgorithm::kRing;
  program::CollectiveProtocol protocol = program::CollectiveProtocol::kSimple;
  std::uint32_t channels = 1;   // blocks of the kernel on each GPU, one SM each
  Duration startup{};           // from the arrival of the last rank; does not stretch on busy links
  Duration transfer{};          // after it, on idle links; stretches on busy ones
  std::vector<LinkLoad> loads;  // what `transfer` moves, for the sharing of links
  std::string timing_method;    // how `transfer` was found, for outputs: "ring, symmetric", ...

  Duration alone() const { return startup + transfer; }
};

}  // namespace septet::network
