#include "models/network/collective/algorithms/chooser.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/registry.hpp"
#include "models/network/collective/algorithms/topology_time.hpp"

namespace septet::network {
namespace {

constexpr std::array kProtocols = {program::CollectiveProtocol::kLowLatency,
                                   program::CollectiveProtocol::kLowLatency128,
                                   program::CollectiveProtocol::kSimple};

// What is known inside a node, for messages.
std::string known_ways(program::CollectiveOp op) {
  std::vector<std::string> ways;
  for (const Algorithm* one : kAlgorithms) {
    if (!one->node.ops.contains(op)) continue;
    ways.push_back(std::string(text_of(one->name)) + one->node.needs);
  }
  return fmt::format("{}", fmt::join(ways, ", or "));
}

[[noreturn]] void refuse(const CollectiveRequest& request) {
  throw ConfigError::value({}, group_text(request) + " inside a node",
                           fmt::format("algorithm {} with protocol {}", text_of(request.algorithm),
                                       text_of(request.protocol)),
                           known_ways(request.op));
}

bool allows(program::CollectiveProtocol wanted, program::CollectiveProtocol protocol) {
  return wanted == program::CollectiveProtocol::kAuto || wanted == protocol;
}

// A shift by one rank around the ring is a message to the next one.
program::CollectiveAlgorithm asked_for(const CollectiveRequest& request) {
  const bool shift = request.op == program::CollectiveOp::kSendReceive;
  return shift && request.algorithm == program::CollectiveAlgorithm::kRing
             ? program::CollectiveAlgorithm::kDirect
             : request.algorithm;
}

bool offered(const Algorithm& algorithm, const CollectiveSpec& spec, const NodeCollective& what) {
  const NodeForm& node = algorithm.node;
  return node.ops.contains(what.op) && !mismatch(what.op, algorithm.name, what.protocol) &&
         (node.offered == nullptr || node.offered(spec, what));
}

NodeCollective node_collective(const CollectiveRequest& request) {
  return {.op = request.op,
          .ranks = static_cast<std::uint32_t>(request.gpus.size()),
          .bytes = request.bytes};
}

}  // namespace

CollectiveChoice choose_in_node(const CollectiveSpec& spec, bool switch_reduces,
                                const CollectiveRequest& request) {
  const program::CollectiveAlgorithm asked = asked_for(request);
  NodeCollective what = node_collective(request);
  what.switch_reduces = switch_reduces;
  std::optional<double> best;
  CollectiveChoice choice;
  for (const Algorithm* algorithm : kAlgorithms) {
    if (asked != program::CollectiveAlgorithm::kAuto && asked != algorithm->name) continue;
    for (const program::CollectiveProtocol protocol : kProtocols) {
      what.protocol = protocol;
      if (!allows(request.protocol, protocol) || !offered(*algorithm, spec, what)) continue;
      const double us = algorithm->node.estimate_us(spec, what);
      if (best && us >= *best) continue;
      best = us;
      choice = {algorithm->name, protocol, algorithm->node.channels(spec, what)};
    }
  }
  if (!best) refuse(request);
  if (request.channels > 0) choice.channels = request.channels;
  return choice;
}

CollectivePlan plan_in_node(const CollectiveSpec& spec, bool switch_reduces,
                            const CollectiveRequest& request) {
  check_group(request);
  const CollectiveChoice choice = choose_in_node(spec, switch_reduces, request);
  NodeCollective what = node_collective(request);
  what.protocol = choice.protocol;
  what.channels = choice.channels;
  const CollectiveTime time = algorithm_of(choice.algorithm).node.time(spec, what);
  CollectivePlan plan;
  plan.algorithm = choice.algorithm;
  plan.protocol = choice.protocol;
  plan.channels = choice.channels;
  plan.startup = time.startup;
  plan.transfer = time.transfer;
  plan.timing_method = fmt::format("{} in one node, closed form", text_of(choice.algorithm));
  return plan;
}

std::vector<CollectivePlan> plans_over_topology(Router& router, const SimpleProtocolSpec& costs,
                                                const CollectiveRequest& request, bool switches) {
  std::vector<CollectivePlan> out;
  CollectiveRequest tried = request;
  for (const Algorithm* algorithm : candidates(router.topology(), request, switches)) {
    tried.algorithm = algorithm->name;
    out.push_back(plan_over_topology(router, costs, algorithm_plan(router, tried)));
  }
  std::ranges::stable_sort(out, {}, &CollectivePlan::alone);
  return out;
}

}  // namespace septet::network
