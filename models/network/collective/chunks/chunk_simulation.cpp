#include "models/network/collective/chunks/chunk_simulation.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/network/collective/chunks/chunk_run.hpp"
#include "models/network/collective/schedule/group.hpp"

namespace septet {

namespace {

void check_messages(const Recipe& recipe) {
  const std::uint64_t messages = messages_at_once(recipe);
  if (messages <= kMostMessages) return;
  throw ConfigError::value(
      {}, group_text(recipe.request), fmt::format("{} messages under way at once", messages),
      fmt::format("at most {}: fewer ranks, or algorithm hierarchical", kMostMessages));
}

}  // namespace

ChunkResult simulate_chunks(Router& router, const Recipe& recipe, const ChunkWork& work) {
  check_messages(recipe);
  return ChunkRun(router, recipe, work).run();
}

}  // namespace septet
