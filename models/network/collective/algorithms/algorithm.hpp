// The interface of a collective algorithm. Each is described once, in its own file in this folder;
// registry.hpp lists them, and chooser.hpp selects one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "models/network/collective/collective.hpp"
#include "models/network/collective/collective_spec.hpp"
#include "models/network/collective/protocol.hpp"
#include "models/network/collective/schedule/algorithm_plan.hpp"
#include "models/network/topology/router.hpp"

namespace septet::network {

class OpSet {
 public:
  constexpr OpSet(std::initializer_list<program::CollectiveOp> ops) {
    for (const program::CollectiveOp op : ops) bits_ |= 1U << static_cast<unsigned>(op);
  }
  constexpr bool contains(program::CollectiveOp op) const {
    return (bits_ >> static_cast<unsigned>(op) & 1U) != 0;
  }

 private:
  std::uint32_t bits_ = 0;
};

// A collective inside a node whose GPUs are all connected at full rate.
struct NodeCollective {
  program::CollectiveOp op = program::CollectiveOp::kAllReduce;
  program::CollectiveProtocol protocol = program::CollectiveProtocol::kSimple;
  std::uint32_t ranks = 0;
  Bytes bytes{};
  std::uint32_t channels = 1;
  bool switch_reduces = false;  // the node's switch adds up the type in question
};

// How the communication library runs it inside a node; nothing set if it doesn't.
struct NodeForm {
  OpSet ops = {};
  const char* needs = "";  // in addition to the operation, for messages: "by simple"
  // Whether it supports such an operation; null: always.
  bool (*offered)(const CollectiveSpec&, const NodeCollective&) = nullptr;
  // The library tuner's estimate, in microseconds; the smallest is selected.
  double (*estimate_us)(const CollectiveSpec&, const NodeCollective&) = nullptr;
  // Blocks of its kernel, if not given in the request.
  std::uint32_t (*channels)(const CollectiveSpec&, const NodeCollective&) = nullptr;
  // Its time: closed form, validated against measurements.
  CollectiveTime (*time)(const CollectiveSpec&, const NodeCollective&) = nullptr;
};

struct Algorithm {
  program::CollectiveAlgorithm name = program::CollectiveAlgorithm::kAuto;
  OpSet ops = {};  // that it exists for, on whatever network
  // Whether messages may carry flags with their data (LL, LL128), in addition to Simple.
  bool flags = true;
  // Operations for which it is a candidate over a topology, and the groups that it needs; null:
  // any.
  OpSet candidate_for = {};
  bool (*suits)(const Topology&, const CollectiveRequest&) = nullptr;
  bool in_switches = false;  // reduces there
  NodeForm node = {};
  // Its steps and traffic: adds phases or trees to the plan, whose request and endpoints (the
  // ranks) are set. Throws ConfigError if the group does not support it.
  void (*lay_out)(Router&, AlgorithmPlan&) = nullptr;
};

}  // namespace septet::network
