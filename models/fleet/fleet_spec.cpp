#include "models/fleet/fleet_spec.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

namespace septet::fleet {
namespace {

constexpr std::uint32_t kFailures = 0xfa11;  // purpose of the draws

}  // namespace

void check(const FleetSpec& spec) {
  if (spec.replicas == 0) throw ModelError("a fleet without replicas");
  if (spec.router.latency.count() <= 0) throw ModelError("the router's latency is not above 0");
  if (spec.autoscaling) {
    const Autoscaling& scaling = *spec.autoscaling;
    const bool ordered =
        scaling.least >= 1 && scaling.least <= spec.replicas && spec.replicas <= scaling.most;
    if (!ordered) {
      throw ModelError(fmt::format("autoscaling from {} to {} replicas, beginning with {}",
                                   scaling.least, scaling.most, spec.replicas));
    }
    if (scaling.interval.count() <= 0 || scaling.requests_per_replica <= 0) {
      throw ModelError("autoscaling: the interval or requests_per_replica is not above 0");
    }
  }
  if (spec.disaggregation) {
    if (spec.disaggregation->prefill_replicas == 0) throw ModelError("no prefill replicas");
    if (spec.autoscaling || !spec.failures.empty()) {
      throw ModelError("disaggregation with autoscaling or failures is not modelled");
    }
  }
  for (const Failure& failure : spec.failures) {
    if (failure.replica >= spec.most_replicas()) {
      throw ModelError(
          fmt::format("replica {} fails, of {}", failure.replica, spec.most_replicas()));
    }
  }
}

std::vector<Failure> random_failures(std::uint32_t replicas, Duration mean_time_between,
                                     Duration repair, Instant end, std::uint64_t seed) {
  std::vector<Failure> out;
  for (std::uint32_t replica = 0; replica < replicas; ++replica) {
    RandomStream stream({seed, replica, kFailures});
    Instant time;
    for (;;) {
      const double gap = stream.exponential(to_seconds(mean_time_between));
      if (gap >= to_seconds(Instant(end) - time)) break;
      time += from_seconds(gap);
      out.push_back({replica, time, repair});
      time += repair;
    }
  }
  std::ranges::stable_sort(out, {}, &Failure::at);
  return out;
}

}  // namespace septet::fleet
