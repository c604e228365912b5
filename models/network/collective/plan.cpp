#include "models/network/collective/plan.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "models/network/collective/protocol.hpp"
#include "models/network/collective/terms.hpp"
#include "models/network/collective/tuner.hpp"

namespace septet {
namespace {

void check(const CollectiveRequest& request) {
  if (request.gpus.size() < 2) {
    throw ModelError(gpus_text(request) + ": a group has at least two members");
  }
  std::vector<std::uint32_t> sorted = request.gpus;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw ModelError(gpus_text(request) + ": GPU " + std::to_string(*twice) + " is there twice");
  }
  if (names_peer(request.op) && request.peer >= request.gpus.size()) {
    throw ModelError(gpus_text(request) + ": there is no rank " + std::to_string(request.peer));
  }
  if (!names_peer(request.op) && request.peer != 0) {
    throw ModelError(gpus_text(request) + ": rank " + std::to_string(request.peer) +
                     " as peer, wanted none");
  }
  if (request.bytes < Bytes(0)) throw ModelError(gpus_text(request) + ": bytes are below 0");
}

CollectiveTime time_of(const CollectiveSpec& spec, const CollectiveChoice& choice,
                       const CollectiveRequest& request) {
  const auto ranks = static_cast<std::uint32_t>(request.gpus.size());
  switch (choice.algorithm) {
    case CollectiveAlgorithm::kNvls:
      return nvls_time(spec, request.op, ranks, request.bytes);
    case CollectiveAlgorithm::kTree:
      return tree_time(spec, choice.protocol, ranks, request.bytes, choice.channels);
    case CollectiveAlgorithm::kDirect:
      if (request.op == CollectiveOp::kAllToAll) {
        return all_to_all_time(spec, choice.protocol, ranks, request.bytes, choice.channels);
      }
      if (choice.protocol != CollectiveProtocol::kSimple) {  // one message between two
        return all_to_all_time(spec, choice.protocol, 2, request.bytes * 2, choice.channels);
      }
      break;
    default:
      break;
  }
  return ring_time(spec, request.op, choice.protocol, ranks, request.bytes, choice.channels);
}

}  // namespace

CollectivePlan plan_in_node(const CollectiveSpec& spec, const NodeNetwork& node,
                            const CollectiveRequest& request) {
  check(request);
  const CollectiveChoice choice = tuned(spec, node.switch_reduces, request);
  const CollectiveTime time = time_of(spec, choice, request);
  CollectivePlan plan;
  plan.algorithm = choice.algorithm;
  plan.protocol = choice.protocol;
  plan.channels = choice.channels;
  plan.startup = time.startup;
  plan.transfer = time.transfer;
  plan.timing_method = std::string(text_of(choice.algorithm)) + " in one node, closed form";
  return plan;
}

double library_link_share(const CollectiveModel& network, const CollectivePlan& plan) {
  const double left_by_flags = flag_share(plan.protocol);
  if (left_by_flags < 1 || plan.transfer <= Duration(0)) return left_by_flags;
  double most = 0;
  for (const LinkLoad& load : plan.loads) {
    const double moved = static_cast<double>(load.bytes.count()) / to_seconds(plan.transfer);
    most = std::max(most, moved / network.link_rate(load.link).count());
  }
  return most > 0 ? std::min(most, 1.0) : 1.0;
}

}  // namespace septet
