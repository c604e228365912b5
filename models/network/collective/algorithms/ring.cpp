// Ring: every rank passes on to the next one what it received from the previous one.
//
// n ranks: 2 (n - 1) steps of an all-reduce, n - 1 of the others; a broadcast is a chain that
// starts at the root. Inside a node, with p steps and c = bytes / n / channels, the part that a
// channel passes on in one step:
//   LL, LL128  start + p (step + max(0, c - covered) / channel rate)
//   Simple     start + p step + (p / n) bytes (1 / link + 1 / (p local)) + first slice / link
// `link` is the share of the link's rate that is reached; the local copies and sums of a GPU (its
// own part) come on top; the first slice, clamp(c - free, 0, full) of each channel, is waited for.
// A broadcast passes all bytes on in slices, without local copies.
#include "models/network/collective/algorithms/algorithm.hpp"
#include "models/network/collective/algorithms/registry.hpp"

namespace septet::network {
namespace {

using enum program::CollectiveOp;

constexpr PerProtocol kBase = {6.6, 14.0, 8.4};  // microseconds
constexpr PerProtocol kHop = {0.6, 1.9, 3.4};    // over NVLink

std::uint32_t steps_of(const NodeCollective& what) {
  return (what.op == kAllReduce ? 2 : 1) * (what.ranks - 1);
}

double tuner_rate(const TunerSpec& tuner, program::CollectiveProtocol protocol) {
  const double all = tuner.ring.count();
  if (protocol == program::CollectiveProtocol::kLowLatency)
    return std::min(tuner.ll.count(), all / 2);
  if (protocol == program::CollectiveProtocol::kSimple) return all;
  return std::min(all * 0.92, tuner.ring_channels * tuner.ll128_channel.count());
}

double estimate_us(const CollectiveSpec& spec, const NodeCollective& what) {
  const double base = per_protocol(kBase, what.protocol);
  const double hop = per_protocol(kHop, what.protocol);
  const double rate = tuner_rate(spec.tuner, what.protocol);
  if (what.op == kBroadcast) {  // one hop: all channels take the same way
    return tuner_estimate_us(base + hop, what.bytes, rate);
  }
  const std::uint32_t steps = steps_of(what);
  return tuner_estimate_us(base + steps * hop, what.bytes, rate * what.ranks / steps);
}

std::uint32_t channels(const CollectiveSpec& spec, const NodeCollective& what) {
  return filled_channels(spec, what.protocol, what.bytes, 8 * std::int64_t{what.ranks});
}

CollectiveTime node_time(const CollectiveSpec& spec, const NodeCollective& what) {
  const bool whole = what.op == kBroadcast;  // two slices of the buffer are under way
  const std::uint32_t steps = steps_of(what);
  const double size = as_double(what.bytes);
  const double share = whole ? size / 2 : size / what.ranks;
  const double part = share / what.channels;
  if (what.protocol == program::CollectiveProtocol::kSimple) {
    if (whole) return simple_time(spec, steps, size, 0, part, what.channels);
    return simple_time(spec, steps, share * steps, share, part, what.channels);
  }
  CollectiveTime time = flag_time(spec, what.protocol, steps, part);
  if (whole) time.transfer = time.transfer / steps * 2;  // slices follow each other down the ring
  cap_by_link(spec, what.protocol, whole ? size : share * steps, steps, time);
  return time;
}

Forest chain(std::uint32_t ranks, std::uint32_t root, Bytes bytes) {
  Forest forest;
  forest.bytes.push_back(bytes);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    forest.add({.endpoint = (i + root) % ranks, .parent = i == 0 ? kNoParent : i - 1});
  }
  make_broadcast(forest);
  return forest;
}

void lay_out(Router&, AlgorithmPlan& plan) {
  const CollectiveRequest& request = plan.request;
  if (request.op == kBroadcast) {
    plan.forest = chain(plan.ranks(), request.peer, request.bytes);
  } else {
    plan.set_phases({plan.ranks()}, PhasePattern::kRing);
  }
}

}  // namespace

constinit const Algorithm kRingAlgorithm = {
    .name = program::CollectiveAlgorithm::kRing,
    .ops = {kAllReduce, kAllGather, kReduceScatter, kBroadcast, kSendReceive},
    .candidate_for = {kAllReduce, kAllGather, kReduceScatter, kBroadcast, kSendReceive},
    .node = {.ops = {kAllReduce, kAllGather, kReduceScatter, kBroadcast},
             .estimate_us = estimate_us,
             .channels = channels,
             .time = node_time},
    .lay_out = lay_out};

}  // namespace septet::network
