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

ReplicaSpec spec_of(const FleetRun& run, std::uint32_t number, std::uint64_t seed) {
  const bool prefill = number >= run.fleet.most_replicas();
  ReplicaSpec out;
  out.number = number;
  out.engine = prefill ? &run.prefill->engine : &run.engine;
  out.costs = prefill ? &run.prefill->costs : &run.costs;
  out.requests = &run.workload.requests;
  out.reports = Router::wants_reports(run.fleet, run.workload);
  out.latency = run.fleet.router.latency;
  out.seed = seed;
  out.records_steps = run.records_steps;
  if (!run.fleet.disaggregation) return out;
  out.role = prefill ? Role::kPrefill : Role::kDecode;
  out.disaggregation = &*run.fleet.disaggregation;
  out.transfer = run.prefill->transfer.get();
  return out;
}

Processes build(const FleetRun& run, std::uint64_t seed, engine::Simulation& simulation) {
  Processes out;
  auto router = std::make_unique<Router>(run.fleet, run.workload, seed);
  out.router = router.get();
  simulation.add(std::move(router), 0, "router");
  const bool reports = Router::wants_reports(run.fleet, run.workload);
  const Duration latency = run.fleet.router.latency;
  const std::uint32_t decoders = run.fleet.most_replicas();
  for (std::uint32_t i = 0; i < run.fleet.all_replicas(); ++i) {
    auto replica = std::make_unique<Replica>(spec_of(run, i, seed));
    out.replicas.push_back(replica.get());
    const engine::LpId id = simulation.add(std::move(replica), 1 + i, fmt::format("replica {}", i));
    SEPTET_ASSERT(id == lp_of_replica(i));
    simulation.connect(kRouterLp, id, latency);
    if (reports) simulation.connect(id, kRouterLp, latency);
    // A decode replica tells a prefill replica that it has fetched its blocks.
    for (std::uint32_t d = 0; i >= decoders && d < decoders; ++d) {
      simulation.connect(lp_of_replica(d), id, latency);
    }
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
  out.transfer_began = served.transfer_began;
  out.transferred = served.transferred;
  out.first_token = served.first_token + response;
  out.finished = served.last_token + response;
  out.cached_tokens = served.cached_tokens;
  out.preemptions = served.preemptions;
}

// What the replica that computed the prompt adds to the outcome of the one that wrote the answer.
void add_prefill(const FleetRun& run, const ServedRequest& served, FleetResult& result) {
  RequestOutcome& out = result.requests[served.attempt.request];
  if (served.refusal != serving::Entry::kQueued) return;
  const Duration response = run.prefill->engine.front_end.response;
  out.admitted = served.admitted;
  out.cached_tokens = served.cached_tokens;
  out.preemptions += served.preemptions;
  out.prefilled = served.first_token;
  if (run.fleet.disaggregation->first_token != FirstToken::kPrefill) return;
  const std::int64_t tokens = run.workload.requests[served.attempt.request].output_tokens;
  const Instant first = served.first_token + response;
  if (tokens > 1 && out.fate == Fate::kCompleted) {
    result.gaps.push_back({std::max(Duration{}, out.first_token - first), 1});
  }
  out.first_token = first;
}

// Whether the request ended at this replica: one of prompts alone ends those that it refuses, and
// answers of one token that it may give itself.
bool ended_at(const FleetRun& run, std::uint32_t replica, const ServedRequest& served) {
  if (replica < run.fleet.most_replicas()) return true;
  if (served.refusal != serving::Entry::kQueued) return true;
  return run.fleet.disaggregation->first_token == FirstToken::kPrefill &&
         run.workload.requests[served.attempt.request].output_tokens == 1;
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
  const std::uint32_t decoders = run.fleet.most_replicas();
  for (std::uint32_t i = 0; i < processes.replicas.size(); ++i) {
    const Replica& replica = *processes.replicas[i];
    for (const ServedRequest& served : replica.served()) {
      RequestOutcome& outcome = out.requests[served.attempt.request];
      if (ended_at(run, i, served)) take(served, i, run.engine.front_end.response, outcome);
      if (i >= decoders) add_prefill(run, served, out);
    }
    for (const ServedRequest& request : replica.under_way()) {
      RequestOutcome& outcome = out.requests[request.attempt.request];
      if (outcome.attempts == request.attempt.number) outcome.admitted = request.admitted;
    }
    out.gaps.insert(out.gaps.end(), replica.gaps().begin(), replica.gaps().end());
    out.steps.insert(out.steps.end(), replica.steps().begin(), replica.steps().end());
    out.replicas.push_back(replica.totals());
    out.replicas.back().prefill = i >= decoders;
  }
  return out;
}

}  // namespace

FleetResult run_fleet(const FleetRun& run, const engine::RunOptions& options) {
  check(run.fleet);
  check(run.workload);
  SEPTET_ASSERT(run.fleet.disaggregation.has_value() == (run.prefill != nullptr));
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
