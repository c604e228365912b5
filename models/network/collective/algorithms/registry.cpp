#include "models/network/collective/algorithms/registry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet::network {

namespace {

constexpr std::int64_t kMostChunks = 1 << 20;  // of a tree

using enum program::CollectiveProtocol;

// Whether the operation supports the protocol: messages from one rank to another carry flags only
// in LL, and switches reduce whole slices.
bool goes_by(program::CollectiveOp op, program::CollectiveAlgorithm algorithm,
             program::CollectiveProtocol protocol) {
  if (protocol == kAuto || protocol == kSimple) return true;
  if (algorithm != program::CollectiveAlgorithm::kAuto && !algorithm_of(algorithm).flags)
    return false;
  return protocol == kLowLatency || !goes_direct(op);
}

std::uint32_t chunk_count(const AlgorithmPlan& plan, Bytes tree_chunk) {
  const Bytes most = *std::ranges::max_element(plan.forest.bytes);
  const std::int64_t chunks = (most.count() + tree_chunk.count() - 1) / tree_chunk.count();
  if (chunks > kMostChunks) {
    throw ConfigError::value({}, group_text(plan.request),
                             fmt::format("{} chunks of a tree", chunks),
                             fmt::format("at most {}: larger chunks", kMostChunks));
  }
  return static_cast<std::uint32_t>(std::max<std::int64_t>(chunks, 1));
}

}  // namespace

const Algorithm& algorithm_of(program::CollectiveAlgorithm name) {
  const auto found = std::ranges::find(kAlgorithms, name, &Algorithm::name);
  SEPTET_ASSERT(found != kAlgorithms.end());
  return **found;
}

std::string algorithms_of(program::CollectiveOp op) {
  std::vector<std::string_view> names;
  for (const program::CollectiveAlgorithm name : values_of<program::CollectiveAlgorithm>()) {
    if (name == program::CollectiveAlgorithm::kAuto || !algorithm_of(name).ops.contains(op))
      continue;
    names.push_back(text_of(name));
  }
  std::string text(names.front());
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += fmt::format("{}{}", i + 1 == names.size() ? " or " : ", ", names[i]);
  }
  return text;
}

std::optional<Mismatch> mismatch(program::CollectiveOp op, program::CollectiveAlgorithm algorithm,
                                 program::CollectiveProtocol protocol) {
  const bool named = algorithm != program::CollectiveAlgorithm::kAuto;
  if (named && !algorithm_of(algorithm).ops.contains(op)) {
    return Mismatch{"algorithm", fmt::format("{} for {}", algorithms_of(op), text_of(op))};
  }
  if (goes_by(op, algorithm, protocol)) return std::nullopt;
  if (goes_by(op, algorithm, kLowLatency)) {
    return Mismatch{"protocol", fmt::format("ll or simple for {}", text_of(op))};
  }
  return Mismatch{"protocol", fmt::format("simple for {}", text_of(algorithm))};
}

void check_terms(const CollectiveRequest& request, const std::string& who) {
  const auto wrong = mismatch(request.op, request.algorithm, request.protocol);
  if (!wrong) return;
  const bool protocol = wrong->key == std::string_view("protocol");
  const std::string_view got = protocol ? text_of(request.protocol) : text_of(request.algorithm);
  throw ConfigError::value({}, who, fmt::format("{} {}", wrong->key, got), wrong->wanted);
}

std::vector<const Algorithm*> candidates(const Topology& topology, const CollectiveRequest& request,
                                         bool switches) {
  if (request.algorithm != program::CollectiveAlgorithm::kAuto)
    return {&algorithm_of(request.algorithm)};
  std::vector<const Algorithm*> out;
  for (const Algorithm* one : kAlgorithms) {
    if (!one->candidate_for.contains(request.op) || (one->in_switches && !switches)) continue;
    if (one->suits == nullptr || one->suits(topology, request)) out.push_back(one);
  }
  return out;
}

AlgorithmPlan algorithm_plan(Router& router, const CollectiveRequest& request, Bytes tree_chunk) {
  SEPTET_ASSERT(tree_chunk > Bytes{});
  const Topology& topology = router.topology();
  check_group(topology, request);
  check_terms(request, group_text(request));
  const Algorithm& algorithm = *candidates(topology, request, false).front();
  AlgorithmPlan plan{.request = request, .algorithm = algorithm.name};
  for (const std::uint32_t gpu : request.gpus) {
    plan.endpoints.push_back({.vertex = topology.gpu_vertex(gpu), .gpu = gpu});
  }
  algorithm.lay_out(router, plan);
  if (!plan.forest.bytes.empty()) plan.chunks = chunk_count(plan, tree_chunk);
  return plan;
}

}  // namespace septet::network
