// Tree: ranks reduce up a tree and broadcast down it. An all-reduce goes over two binary trees,
// each with half of the data, such that a rank inside one is a leaf of the other (P. Sanders, J.
// Speck, J. Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
// Parallel Computing 35, 2009): the trees of NCCL 2.4, ranks in order. The second is the first one
// mirrored, or shifted by one for an odd number of ranks.
//
// Inside a node a tree is a chain up and down again, 2 (n - 1) steps; each GPU passes bytes on
// twice. The library uses it there for all-reduces alone.
#include "models/network/collective/algorithms/tree.hpp"

#include <bit>

#include "models/network/collective/algorithms/algorithm.hpp"
#include "models/network/collective/algorithms/registry.hpp"

namespace septet::network {
namespace {

using enum program::CollectiveOp;

constexpr PerProtocol kBase = {6.8, 14.0, 8.4};  // microseconds
constexpr PerProtocol kHop = {0.6, 1.25, 4.0};   // over NVLink

// Share of its rate that a tree reaches, by protocol and powers of two from 64 B.
constexpr std::array<std::array<double, 23>, 3> kShare = {
    {{1.0, 1.0, 1.0, 1.0, .9, .8, .7, .7,  .7,  .7,  .6, .5,
      .4,  .4,  .5,  .6,  .7, .8, .9, 1.0, 1.0, 1.0, 1.0},
     {1.0, 1.0, 1.0, 1.0, 1.0, .9, .8, .8, .8, .7,  .6, .6,
      .6,  .6,  .6,  .6,  .8,  .9, .9, .9, .9, 1.0, 1.0},
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9}}};

std::uint32_t steps_of(const NodeCollective& what) { return 2 * (what.ranks - 1); }

double tuner_rate(const TunerSpec& tuner, program::CollectiveProtocol protocol, Bytes bytes) {
  double rate =
      std::min(tuner.ring.count() * 0.92, tuner.ring_channels * tuner.tree_channel.count());
  if (protocol == program::CollectiveProtocol::kLowLatency)
    rate = std::min(rate / 3.8, tuner.ll.count());
  if (protocol == program::CollectiveProtocol::kLowLatency128) {
    rate = std::min(rate * 7 / 9, tuner.ring_channels * tuner.tree_ll128_channel.count());
  }
  const auto units = static_cast<std::uint64_t>(bytes.count()) / 64;
  const auto power = units == 0 ? kShare[0].size() : std::bit_width(units) - 1U;
  const auto& share = per_protocol(kShare, protocol);
  return rate * (power < share.size() ? share.at(power) : 1.0);
}

double estimate_us(const CollectiveSpec& spec, const NodeCollective& what) {
  const double steps = 2.0 * (what.ranks - 1);
  return tuner_estimate_us(
      per_protocol(kBase, what.protocol) + steps * per_protocol(kHop, what.protocol), what.bytes,
      tuner_rate(spec.tuner, what.protocol, what.bytes) / 2);
}

std::uint32_t channels(const CollectiveSpec& spec, const NodeCollective& what) {
  return filled_channels(spec, what.protocol, what.bytes, 8);
}

CollectiveTime node_time(const CollectiveSpec& spec, const NodeCollective& what) {
  const std::uint32_t steps = steps_of(what);
  const double size = as_double(what.bytes);
  const double part = size / 2 / what.channels;
  if (what.protocol == program::CollectiveProtocol::kSimple) {
    return simple_time(spec, steps, 2 * size, 0, part, what.channels);
  }
  const FlagProtocolSpec& flags = flag_protocol(spec, what.protocol);
  CollectiveTime time = flag_time(spec, what.protocol, steps, 0);
  time.transfer = at_rate(4 * beyond(part, flags.covered, size), flags.channel);
  cap_by_link(spec, what.protocol, 2 * size, steps, time);
  return time;
}

// Adds a binary tree whose rank i is `rename(i)`; node numbers are those of i behind `base`.
template <class Rename>
void add_binary(Forest& forest, std::uint32_t ranks, Bytes bytes, Rename rename) {
  const auto base = static_cast<std::uint32_t>(forest.nodes.size());
  const auto tree = static_cast<std::uint32_t>(forest.bytes.size());
  forest.bytes.push_back(bytes);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    const std::uint32_t parent = binary_parent(i, ranks);
    forest.add({.endpoint = rename(i),
                .parent = parent == kNoParent ? kNoParent : base + parent,
                .tree = tree});
  }
}

Forest broadcast_tree(std::uint32_t ranks, std::uint32_t root, Bytes bytes) {
  Forest forest;
  add_binary(forest, ranks, bytes, [=](std::uint32_t i) { return (i + root) % ranks; });
  make_broadcast(forest);
  return forest;
}

void lay_out(Router&, AlgorithmPlan& plan) {
  const CollectiveRequest& request = plan.request;
  plan.forest = request.op == kBroadcast ? broadcast_tree(plan.ranks(), request.peer, request.bytes)
                                         : double_binary_trees(plan.ranks(), request.bytes);
}

}  // namespace

std::uint32_t binary_parent(std::uint32_t rank, std::uint32_t ranks) {
  if (rank == 0) return kNoParent;
  const std::uint32_t lowest = rank & (~rank + 1);
  const std::uint32_t parent = (rank ^ lowest) | (lowest << 1U);
  return parent < ranks ? parent : rank ^ lowest;
}

Forest double_binary_trees(std::uint32_t ranks, Bytes bytes) {
  Forest forest;
  forest.window *= static_cast<std::uint32_t>(std::bit_width(ranks));  // one for each hop up
  add_binary(forest, ranks, share_of(bytes, 2, 0), [](std::uint32_t i) { return i; });
  add_binary(forest, ranks, share_of(bytes, 2, 1),
             [ranks](std::uint32_t i) { return ranks % 2 == 0 ? ranks - 1 - i : (i + 1) % ranks; });
  return forest;
}

constinit const Algorithm kTreeAlgorithm = {.name = program::CollectiveAlgorithm::kTree,
                                            .ops = {kAllReduce, kBroadcast},
                                            .candidate_for = {kAllReduce, kBroadcast},
                                            .node = {.ops = {kAllReduce},
                                                     .estimate_us = estimate_us,
                                                     .channels = channels,
                                                     .time = node_time},
                                            .lay_out = lay_out};

}  // namespace septet::network
