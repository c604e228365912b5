// Which replica a request goes to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "core/base/random.hpp"
#include "models/fleet/fleet_spec.hpp"
#include "models/workload/requests/request.hpp"

namespace septet::fleet {

// What the router knows of a replica.
struct ReplicaLoad {
  bool takes_requests = false;
  std::uint32_t under_way = 0;
};

class RoutingPolicy {
 public:
  RoutingPolicy(const RouterSpec& spec, const RandomStream& random)
      : spec_(spec), random_(random) {}

  // Nothing where no replica takes requests.
  std::optional<std::uint32_t> choose(const requests::Request& request,
                                      std::span<const ReplicaLoad> replicas);
  // Its KV cache is gone.
  void forget(std::uint32_t replica);

 private:
  std::uint32_t choose_next(std::span<const ReplicaLoad> replicas);
  std::uint32_t choose_random(std::span<const ReplicaLoad> replicas, std::uint64_t candidates);
  std::uint32_t choose_by_prefix(const requests::Request& request,
                                 std::span<const ReplicaLoad> replicas);

  RouterSpec spec_;
  RandomStream random_;
  std::uint32_t next_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> last_of_content_;
};

}  // namespace septet::fleet
