// NVLS: NVLink SHARP, reduction in the NVSwitch of one node. Every rank owns an equal share: it
// fetches the sum of its share through the switch and stores the result through it to all GPUs,
// itself included; so each GPU sends n + 1 shares and receives as many (NVIDIA, "multimem" in the
// PTX ISA; NCCL 2.17's NVLS algorithm). A reduce-scatter is the first half, in which each GPU sends
// all bytes, an all-gather the second, in which each receives all.
//
//   start + sent / link + what the pipeline holds / its rate
//   sent = bytes (1 + 1 / n) of an all-reduce, else bytes
#include <algorithm>

#include "models/network/collective/algorithms/algorithm.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet::network {
namespace {

using enum program::CollectiveOp;

constexpr double kLatencyUs = 25;

bool offered(const CollectiveSpec& spec, const NodeCollective& what) {
  return what.switch_reduces && spec.tuner.nvls_efficiency > 0 && what.ranks > 2;
}

double estimate_us(const CollectiveSpec& spec, const NodeCollective& what) {
  const double others = (what.ranks - 1.0) / what.ranks;
  const double rate = spec.tuner.ring.count() * spec.tuner.nvls_efficiency * others;
  return tuner_estimate_us(
      kLatencyUs, what.bytes,
      what.op == kAllReduce ? rate * 2 * what.ranks / (2 * (what.ranks - 1)) : rate * others);
}

std::uint32_t channels(const CollectiveSpec& spec, const NodeCollective&) {
  return spec.nvls_channels;
}

CollectiveTime node_time(const CollectiveSpec& spec, const NodeCollective& what) {
  const NvlsSpec& nvls = spec.nvls;
  const double size = as_double(what.bytes);
  const double sent = what.op == kAllReduce ? size * (1 + 1.0 / what.ranks) : size;
  return {nvls.start, at_rate(sent, part_of(spec.link, nvls.link_share)) +
                          at_rate(std::min(size, as_double(nvls.pipeline)), nvls.pipeline_rate)};
}

// Whether an unbroken link leads from the GPU to the switch.
bool joined_to(const Topology& topology, std::uint32_t gpu, VertexId middle) {
  const auto [first, last] = topology.links_from(topology.gpu_vertex(gpu));
  for (LinkId link = first; link < last; ++link) {
    if (topology.link(link).to == middle && !topology.link(link).failed) return true;
  }
  return false;
}

bool at_one_nvswitch(const Topology& topology, const CollectiveRequest& request) {
  const auto [first, last] = topology.links_from(topology.gpu_vertex(request.gpus.front()));
  for (LinkId link = first; link < last; ++link) {
    const VertexId middle = topology.link(link).to;
    if (topology.vertex(middle).kind != VertexKind::kNvSwitch) continue;
    return std::ranges::all_of(request.gpus,
                               [&](std::uint32_t gpu) { return joined_to(topology, gpu, middle); });
  }
  return false;
}

[[noreturn]] void refuse(const CollectiveRequest& request, const std::string& got) {
  throw ConfigError::value({}, group_text(request), got, "ranks on one NVSwitch");
}

// The switch that all ranks have a link to.
VertexId common_switch(Router& router, const CollectiveRequest& request) {
  const Topology& topology = router.topology();
  const Route route = router.route(request.gpus[0], request.gpus[1]);
  const Vertex& middle = topology.vertex(topology.link(route.front()).to);
  if (middle.kind != VertexKind::kNvSwitch && middle.kind != VertexKind::kSwitch) {
    refuse(request, "nvls over " + middle.name);
  }
  const VertexId vertex = topology.link(route.front()).to;
  for (const std::uint32_t gpu : request.gpus) {
    if (joined_to(topology, gpu, vertex)) continue;
    refuse(request, topology.gpu_name(gpu) + " without a link to " + middle.name);
  }
  return vertex;
}

// The tree of the share owned by `rank`.
void add_share(Forest& forest, std::uint32_t rank, std::uint32_t ranks, Bytes bytes) {
  forest.bytes.push_back(share_of(bytes, ranks, rank));
  const std::uint32_t keeper = forest.add({.endpoint = rank,
                                           .tree = rank,
                                           .contributes = !forest.reduces,
                                           .receives = !forest.broadcasts});
  const std::uint32_t middle = forest.add(
      {.endpoint = ranks, .parent = keeper, .tree = rank, .contributes = false, .receives = false});
  for (std::uint32_t i = 0; i < ranks; ++i) {
    forest.add({.endpoint = i,
                .parent = middle,
                .tree = rank,
                .contributes = forest.reduces,
                .receives = forest.broadcasts});
  }
}

void lay_out(Router& router, AlgorithmPlan& plan) {
  const CollectiveRequest& request = plan.request;
  plan.forest.window = 2;  // a rank fetches its next chunk while it stores the one before
  plan.forest.reduces = request.op != kAllGather;
  plan.forest.broadcasts = request.op != kReduceScatter;
  plan.endpoints.push_back({.vertex = common_switch(router, request)});
  for (std::uint32_t rank = 0; rank < plan.ranks(); ++rank) {
    add_share(plan.forest, rank, plan.ranks(), request.bytes);
  }
}

}  // namespace

constinit const Algorithm kNvlsAlgorithm = {
    .name = program::CollectiveAlgorithm::kNvls,
    .ops = {kAllReduce, kAllGather, kReduceScatter},
    .flags = false,
    .candidate_for = {kAllReduce, kAllGather, kReduceScatter},
    .suits = at_one_nvswitch,
    .in_switches = true,
    .node = {.ops = {kAllReduce, kAllGather, kReduceScatter},
             .needs = " by simple, with more than two GPUs at a switch that reduces",
             .offered = offered,
             .estimate_us = estimate_us,
             .channels = channels,
             .time = node_time},
    .lay_out = lay_out};

}  // namespace septet::network
