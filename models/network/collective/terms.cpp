#include "models/network/collective/terms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/base/error.hpp"

namespace septet {
namespace {

using enum CollectiveAlgorithm;

// By operation, in the order of the enumeration.
const std::array<std::vector<CollectiveAlgorithm>, kEnumSize<CollectiveOp>>& algorithms() {
  static const std::array<std::vector<CollectiveAlgorithm>, kEnumSize<CollectiveOp>> kOfOps = {{
      {kRing, kTree, kDirect, kHierarchical, kNvls, kSharp},  // all-reduce
      {kRing, kDirect, kHierarchical, kNvls},                 // all-gather
      {kRing, kDirect, kHierarchical, kNvls},                 // reduce-scatter
      {kDirect, kHierarchical},                               // all-to-all
      {kRing, kTree},                                         // broadcast
      {kRing, kDirect},                                       // to the next rank
      {kDirect},                                              // send
      {kDirect},                                              // receive
  }};
  return kOfOps;
}

const std::vector<CollectiveAlgorithm>& algorithms(CollectiveOp op) {
  return algorithms().at(static_cast<std::size_t>(op));
}

}  // namespace

bool runs_as(CollectiveOp op, CollectiveAlgorithm algorithm) {
  const auto& known = algorithms(op);
  return algorithm == kAuto || std::find(known.begin(), known.end(), algorithm) != known.end();
}

// Switches reduce whole slices; messages from one to another go by LL or Simple.
bool goes_by(CollectiveOp op, CollectiveAlgorithm algorithm, CollectiveProtocol protocol) {
  if (protocol == CollectiveProtocol::kAuto || protocol == CollectiveProtocol::kSimple) return true;
  if (algorithm == kNvls || algorithm == kSharp) return false;
  const bool messages = !runs_as(op, kTree) && !runs_as(op, kNvls);
  return !messages || protocol == CollectiveProtocol::kLowLatency;
}

void check_terms(const CollectiveRequest& request) {
  if (!runs_as(request.op, request.algorithm)) {
    throw ConfigError::value({}, std::string(text_of(request.op)),
                             "algorithm " + std::string(text_of(request.algorithm)),
                             algorithms_of(request.op));
  }
  if (goes_by(request.op, request.algorithm, request.protocol)) return;
  throw ConfigError::value({}, std::string(text_of(request.op)),
                           "protocol " + std::string(text_of(request.protocol)),
                           "one that its algorithm can use");
}

std::string algorithms_of(CollectiveOp op) {
  const auto& known = algorithms(op);
  std::string text;
  for (std::size_t i = 0; i < known.size(); ++i) {
    text += i == 0 ? "" : i + 1 == known.size() ? " or " : ", ";
    text += text_of(known[i]);
  }
  return text;
}

std::string gpus_text(const CollectiveRequest& request) {
  std::string text(text_of(request.op));
  text += " of GPUs";
  for (const std::uint32_t gpu : request.gpus) text += " " + std::to_string(gpu);
  return text;
}

}  // namespace septet
