#include "models/network/collective/terms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace septet {
namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 8> kOps = {"all_reduce", "all_gather", "reduce_scatter",
                                                  "all_to_all", "broadcast",  "send_recv",
                                                  "send",       "recv"};
constexpr std::array<std::string_view, 7> kAlgorithms = {"auto",         "ring", "tree", "direct",
                                                         "hierarchical", "nvls", "sharp"};
constexpr std::array<std::string_view, 4> kProtocols = {"auto", "ll", "ll128", "simple"};

template <class Term, std::size_t N>
std::optional<Term> named(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Term>(found - names.begin());
}

using enum CollectiveAlgorithm;

// By operation, in the order of the enumeration.
const std::array<std::vector<CollectiveAlgorithm>, 8>& algorithms() {
  static const std::array<std::vector<CollectiveAlgorithm>, 8> kOfOps = {{
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

bool names_peer(CollectiveOp op) {
  return op == CollectiveOp::kBroadcast || op == CollectiveOp::kSend ||
         op == CollectiveOp::kReceive;
}

std::string algorithms_of(CollectiveOp op) {
  const auto& known = algorithms(op);
  std::string text;
  for (std::size_t i = 0; i < known.size(); ++i) {
    text += i == 0 ? "" : i + 1 == known.size() ? " or " : ", ";
    text += name_of(known[i]);
  }
  return text;
}

std::string gpus_text(const CollectiveRequest& request) {
  std::string text(name_of(request.op));
  text += " of GPUs";
  for (const std::uint32_t gpu : request.gpus) text += " " + std::to_string(gpu);
  return text;
}

std::string_view name_of(CollectiveOp op) { return kOps.at(static_cast<std::size_t>(op)); }

std::string_view name_of(CollectiveAlgorithm algorithm) {
  return kAlgorithms.at(static_cast<std::size_t>(algorithm));
}

std::string_view name_of(CollectiveProtocol protocol) {
  return kProtocols.at(static_cast<std::size_t>(protocol));
}

std::optional<CollectiveOp> collective_op_named(std::string_view name) {
  return named<CollectiveOp>(kOps, name);
}

std::optional<CollectiveAlgorithm> collective_algorithm_named(std::string_view name) {
  return named<CollectiveAlgorithm>(kAlgorithms, name);
}

std::optional<CollectiveProtocol> collective_protocol_named(std::string_view name) {
  return named<CollectiveProtocol>(kProtocols, name);
}

}  // namespace septet
