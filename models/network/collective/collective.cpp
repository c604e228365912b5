#include "models/network/collective/collective.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::network {
namespace {

void require(bool holds, const CollectiveRequest& request, const std::string& got,
             const std::string& wanted) {
  if (!holds) throw ConfigError::value({}, group_text(request), got, wanted);
}

void check_peer(const CollectiveRequest& request) {
  if (!names_peer(request.op)) {
    require(request.peer == 0, request, fmt::format("rank {} as peer", request.peer), "none");
    return;
  }
  require(request.peer < request.gpus.size(), request,
          fmt::format("rank {} as the {}", request.peer, has_root(request.op) ? "root" : "peer"),
          fmt::format("one of the ranks 0 to {}", request.gpus.size() - 1));
}

}  // namespace

std::string group_text(const CollectiveRequest& request) {
  return fmt::format("{} over {} ranks", text_of(request.op), request.gpus.size());
}

void check_group(const CollectiveRequest& request) {
  const std::size_t ranks = request.gpus.size();
  require(ranks >= 2, request, fmt::format("a group of {}", ranks), "at least 2 ranks");
  require(request.bytes >= Bytes{}, request, fmt::format("{} bytes", request.bytes.count()),
          "a size of at least 0");
  check_peer(request);
  std::unordered_map<std::uint32_t, std::size_t> rank_of;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::uint32_t gpu = request.gpus[rank];
    const auto [other, is_new] = rank_of.emplace(gpu, rank);
    require(is_new, request,
            fmt::format("GPU {} twice, at ranks {} and {}", gpu, other->second, rank),
            "each GPU once");
  }
}

}  // namespace septet::network
