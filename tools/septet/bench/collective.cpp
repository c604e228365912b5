#include "tools/septet/bench/collective.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "models/network/collective/chunks/analytic_time.hpp"

namespace septet {
namespace {

CollectiveRequest request_over_all(const Topology& topology, CollectiveRequest request) {
  request.gpus.resize(topology.gpu_count());
  std::iota(request.gpus.begin(), request.gpus.end(), 0U);
  return request;
}

ChunkWork work_of(const CollectiveOptions& options, std::uint32_t ranks) {
  ChunkWork work{.repeats = options.layers, .forwarding = options.forwarding};
  if (options.compute > Duration{}) work.compute.assign(ranks, options.compute);
  return work;
}

// The busiest links by their utilization, at most `count`.
std::vector<CollectiveReport::LinkRow> busiest(const Topology& topology,
                                               std::vector<LinkLoad> loads, Duration time,
                                               std::uint32_t count) {
  const auto seconds = [&](const LinkLoad& load) {
    return to_seconds(transfer_time(load.bytes, topology.link(load.link).rate));
  };
  const auto busier = [&](const LinkLoad& a, const LinkLoad& b) {
    const double x = seconds(a);
    const double y = seconds(b);
    return x != y ? x > y : a.link < b.link;
  };
  std::ranges::sort(loads, busier);
  std::vector<CollectiveReport::LinkRow> rows;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, loads.size()); ++i) {
    rows.push_back({.name = topology.link_name(loads[i].link),
                    .bytes = loads[i].bytes,
                    .utilization = seconds(loads[i]) / to_seconds(time)});
  }
  return rows;
}

void simulate(Router& router, const Recipe& recipe, const ChunkWork& work, std::uint32_t links,
              CollectiveReport& report) {
  const ChunkResult result = simulate_chunks(router, recipe, work);
  report.method = "chunk-level";
  report.simulated = result.time;
  report.sends = result.sends;
  report.events = result.events;
  report.digest = result.digest;
  if (links == 0) return;
  std::vector<LinkLoad> loads;
  for (LinkId link = 0; link < result.links.size(); ++link) {
    if (result.links[link].bytes > Bytes{}) {
      loads.push_back({.link = link, .bytes = result.links[link].bytes});
    }
  }
  report.links = busiest(router.topology(), std::move(loads), result.time, links);
}

void report_analytic(Router& router, const Recipe& recipe, const AnalyticTime& analytic,
                     const CollectiveOptions& options, CollectiveReport& report) {
  report.method = analytic.method;
  report.simulated = analytic.time;
  report.above = analytic.above;
  if (options.links == 0) return;
  std::vector<LinkLoad> loads = link_loads(router, recipe);
  for (LinkLoad& load : loads) load.bytes = load.bytes * options.layers;
  report.links = busiest(router.topology(), std::move(loads), analytic.time, options.links);
}

}  // namespace

CollectiveReport run_collective(const Topology& topology, const CollectiveOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Router router(topology, options.routing);
  CollectiveRequest request = request_over_all(topology, options.request);
  std::vector<AlgorithmEstimate> estimates;
  if (request.algorithm == CollectiveAlgorithm::kAuto) {
    estimates = estimate_algorithms(topology, options.routing, request);
    request.algorithm = estimates.front().algorithm;
  }
  const Recipe recipe = recipe_of(router, request, options.tree_chunk);
  const ChunkWork work = work_of(options, recipe.ranks());
  CollectiveReport report{
      .gpus = recipe.ranks(), .algorithm = recipe.algorithm, .estimates = std::move(estimates)};
  std::optional<AnalyticTime> analytic;
  if (!options.exact) analytic = analytic_time(router, recipe, work);
  if (analytic) {
    report_analytic(router, recipe, *analytic, options, report);
  } else {
    simulate(router, recipe, work, options.links, report);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  report.seconds = elapsed.count();
  return report;
}

}  // namespace septet
