#include "models/fleet/routing_policy.hpp"

#include <algorithm>

namespace septet::fleet {
namespace {

std::uint32_t least_loaded(std::span<const ReplicaLoad> replicas) {
  std::optional<std::uint32_t> best;
  for (std::uint32_t i = 0; i < replicas.size(); ++i) {
    if (!replicas[i].takes_requests) continue;
    if (!best || replicas[i].under_way < replicas[*best].under_way) best = i;
  }
  return best.value_or(0);
}

}  // namespace

std::optional<std::uint32_t> RoutingPolicy::choose(const requests::Request& request,
                                                   std::span<const ReplicaLoad> replicas) {
  const auto candidates = std::ranges::count_if(replicas, &ReplicaLoad::takes_requests);
  if (candidates == 0) return std::nullopt;
  switch (spec_.routing) {
    case Routing::kRoundRobin:
      return choose_next(replicas);
    case Routing::kRandom:
      return choose_random(replicas, static_cast<std::uint64_t>(candidates));
    case Routing::kLeastLoaded:
      return least_loaded(replicas);
    case Routing::kPrefixAware:
      break;
  }
  return choose_by_prefix(request, replicas);
}

std::uint32_t RoutingPolicy::choose_next(std::span<const ReplicaLoad> replicas) {
  const auto count = static_cast<std::uint32_t>(replicas.size());
  while (!replicas[next_ % count].takes_requests) ++next_;
  return next_++ % count;
}

std::uint32_t RoutingPolicy::choose_random(std::span<const ReplicaLoad> replicas,
                                           std::uint64_t candidates) {
  std::uint64_t skip = random_.below(candidates);
  std::uint32_t replica = 0;
  while (!replicas[replica].takes_requests || skip-- > 0) ++replica;
  return replica;
}

// The replica that got the last request with the longest of this one's beginnings.
std::uint32_t RoutingPolicy::choose_by_prefix(const requests::Request& request,
                                              std::span<const ReplicaLoad> replicas) {
  std::uint32_t chosen = least_loaded(replicas);
  std::optional<std::uint32_t> holder;
  std::int64_t matched = 0;
  for (const requests::Piece& piece : request.pieces) {
    const auto found = last_of_content_.find(piece.content);
    if (found == last_of_content_.end()) break;
    holder = found->second;
    matched = std::min(piece.end, request.input_tokens);
  }
  const double share = static_cast<double>(matched) / static_cast<double>(request.input_tokens);
  if (holder && replicas[*holder].takes_requests && share >= spec_.least_prefix_share &&
      replicas[*holder].under_way <= replicas[chosen].under_way + spec_.most_imbalance) {
    chosen = *holder;
  }
  for (const requests::Piece& piece : request.pieces) last_of_content_[piece.content] = chosen;
  return chosen;
}

void RoutingPolicy::forget(std::uint32_t replica) {
  std::erase_if(last_of_content_, [&](const auto& one) { return one.second == replica; });
}

}  // namespace septet::fleet
