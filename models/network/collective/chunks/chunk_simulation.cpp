#include "models/network/collective/chunks/chunk_simulation.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/chunks/chunk_run.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet::network {

namespace {

void check_messages(const AlgorithmPlan& plan) {
  const std::uint64_t messages = messages_at_once(plan);
  if (messages <= kMostMessages) return;
  throw ConfigError::value(
      {}, group_text(plan.request), fmt::format("{} messages in flight", messages),
      fmt::format("at most {}: fewer ranks, or algorithm hierarchical", kMostMessages));
}

}  // namespace

ChunkResult simulate_chunks(Router& router, const AlgorithmPlan& plan, const ChunkWork& work) {
  check_messages(plan);
  return ChunkRun(router, plan, work).run();
}

}  // namespace septet::network
