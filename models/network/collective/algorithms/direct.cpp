// Direct: every rank exchanges with every other one at once; a single message is the simplest case.
//
// Inside a node the library tunes nothing here: messages up to a size use LL, through one channel
// each, larger ones by Simple through all. With m bytes to each of the others, n ranks:
//   LL      start + log2(n) start per doubling + m / channel rate
//   Simple  start + ((n - 1) m + first slice) / link
// A single message by Simple is one hop of a ring.
#include <cmath>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/algorithm.hpp"
#include "models/network/collective/algorithms/registry.hpp"

namespace septet::network {
namespace {

using enum program::CollectiveOp;

bool is_small(const CollectiveSpec& spec, const NodeCollective& what) {
  const Bytes each = what.op == kAllToAll ? what.bytes / std::int64_t{what.ranks} : what.bytes;
  return each <= spec.direct.ll_max;
}

// Not a time: ranks LL before Simple for small messages, after it otherwise.
double estimate_us(const CollectiveSpec& spec, const NodeCollective& what) {
  if (what.protocol == program::CollectiveProtocol::kSimple) return 1;
  return is_small(spec, what) ? 0 : 2;
}

std::uint32_t channels(const CollectiveSpec& spec, const NodeCollective&) { return spec.channels; }

CollectiveTime flagged(const CollectiveSpec& spec, program::CollectiveProtocol protocol,
                       std::uint32_t ranks, double each) {
  const DirectSpec& direct = spec.direct;
  CollectiveTime time{direct.ll_start + scale(direct.ll_start_per_doubling, std::log2(ranks)),
                      at_rate(each, direct.ll_channel)};
  cap_by_link(spec, protocol, each * (ranks - 1), 0, time);
  return time;
}

CollectiveTime to_all(const CollectiveSpec& spec, const NodeCollective& what) {
  const double sent = as_double(what.bytes) / what.ranks * (what.ranks - 1);
  const double first = first_slices(spec.simple, sent / what.channels, what.channels);
  return {spec.direct.start, at_rate(sent + first, part_of(spec.link, spec.direct.link_share))};
}

CollectiveTime node_time(const CollectiveSpec& spec, const NodeCollective& what) {
  const bool all = what.op == kAllToAll;
  const double size = as_double(what.bytes);
  if (what.protocol != program::CollectiveProtocol::kSimple) {
    const std::uint32_t ranks = all ? what.ranks : 2;
    return flagged(spec, what.protocol, ranks, all ? size / ranks : size);
  }
  if (all) return to_all(spec, what);
  return simple_time(spec, 1, size, 0, size / 2 / what.channels, what.channels);
}

// Sends and receives are one message, which topology_time.hpp knows.
void lay_out(Router&, AlgorithmPlan& plan) {
  SEPTET_ASSERT(!point_to_point(plan.request.op));
  plan.set_phases({plan.ranks()}, PhasePattern::kDirect);
}

}  // namespace

constinit const Algorithm kDirectAlgorithm = {
    .name = program::CollectiveAlgorithm::kDirect,
    .ops = {kAllReduce, kAllGather, kReduceScatter, kAllToAll, kSendReceive, kSend, kReceive},
    .candidate_for = {kAllToAll, kSend, kReceive},
    .node = {.ops = {kAllToAll, kSendReceive, kSend, kReceive},
             .needs = " by ll or simple",
             .estimate_us = estimate_us,
             .channels = channels,
             .time = node_time},
    .lay_out = lay_out};

}  // namespace septet::network
