#include "models/fleet/run_fleet.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/fleet/replica.hpp"
#include "models/fleet/router.hpp"

namespace septet::fleet {
namespace {

using requests::Workload;

void check(const Workload& workload) {
  if (workload.requests.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw ModelError("more than 4 billion requests");
  }
  Instant before;
  for (std::size_t i = 0; i < workload.requests.size(); ++i) {
    const requests::Request& request = workload.requests[i];
    if (request.follows == requests::kNoRequest) {
      if (request.arrival < before) {
        throw ModelError(fmt::format("request {} arrives before the one above", i));
      }
      before = request.arrival;
    }
    SEPTET_ASSERT(request.follows < static_cast<std::int64_t>(i));
  }
}

// The engine owns the processes; these are views of them.
struct Processes {
  Router* router = nullptr;
  std::vector<Replica*> replicas;
};

Processes build(const FleetRun& run, std::uint64_t seed, engine::Simulation& simulation) {
  Processes out;
  auto router = std::make_unique<Router>(run.fleet, run.workload, seed);
  out.router = router.get();
  simulation.add(std::move(router), 0, "router");
  const bool reports = Router::wants_reports(run.fleet, run.workload);
  const Duration latency = run.fleet.router.latency;
  for (std::uint32_t i = 0; i < run.fleet.most_replicas(); ++i) {
    auto replica = std::make_unique<Replica>(
        ReplicaSpec{i, &run.engine, &run.costs, &run.workload.requests, reports, latency, seed});
    out.replicas.push_back(replica.get());
    const engine::LpId id = simulation.add(std::move(replica), 1 + i, fmt::format("replica {}", i));
    simulation.connect(kRouterLp, id, latency);
    if (reports) simulation.connect(id, kRouterLp, latency);
  }
  return out;
}

void take(const ServedRequest& served, std::uint32_t replica, Duration response,
          RequestOutcome& out) {
  if (out.attempts != served.attempt.number) return;  // an attempt before a failure
  out.replica = replica;
  out.refusal = served.refusal;
  out.fate = served.refusal == serving::Entry::kQueued ? Fate::kCompleted : Fate::kRefused;
  out.admitted = served.admitted;
  out.first_token = served.first_token + response;
  out.finished = served.last_token + response;
  out.cached_tokens = served.cached_tokens;
  out.preemptions = served.preemptions;
}

FleetResult result_of(const FleetRun& run, const Processes& processes) {
  FleetResult out;
  for (const RoutedRequest& routed : processes.router->requests()) {
    RequestOutcome outcome;
    outcome.attempts = routed.attempts;
    outcome.arrived = routed.arrived;
    outcome.sent = routed.sent;
    out.requests.push_back(outcome);
  }
  for (std::uint32_t i = 0; i < processes.replicas.size(); ++i) {
    const Replica& replica = *processes.replicas[i];
    for (const ServedRequest& served : replica.served()) {
      take(served, i, run.engine.front_end.response, out.requests[served.attempt.request]);
    }
    for (const ServedRequest& request : replica.under_way()) {
      RequestOutcome& outcome = out.requests[request.attempt.request];
      if (outcome.attempts == request.attempt.number) outcome.admitted = request.admitted;
    }
    out.gaps.insert(out.gaps.end(), replica.gaps().begin(), replica.gaps().end());
    out.replicas.push_back(replica.totals());
  }
  return out;
}

}  // namespace

FleetResult run_fleet(const FleetRun& run, const engine::RunOptions& options) {
  check(run.fleet);
  check(run.workload);
  engine::Simulation simulation;
  const Processes processes = build(run, options.seed, simulation);
  const engine::RunResult engine = simulation.run(options);
  FleetResult out = result_of(run, processes);
  out.engine = engine;
  const std::vector<Duration> provided = processes.router->provided(engine.last);
  for (std::size_t i = 0; i < provided.size(); ++i) out.replicas[i].provided = provided[i];
  return out;
}

}  // namespace septet::fleet
