#include "tools/septet/bench/collective.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "core/base/error.hpp"
#include "models/network/collective/algorithms/chooser.hpp"
#include "models/network/collective/chunks/analytic_time.hpp"

namespace septet::command {
namespace {

network::CollectiveRequest request_over_all(const network::Topology& topology,
                                            network::CollectiveRequest request) {
  request.gpus.resize(topology.gpu_count());
  std::iota(request.gpus.begin(), request.gpus.end(), 0U);
  return request;
}

network::ChunkWork work_of(const CollectiveOptions& options, std::uint32_t ranks) {
  network::ChunkWork work{.repeats = options.layers, .forwarding = options.forwarding};
  if (options.compute > Duration{}) work.compute.assign(ranks, options.compute);
  return work;
}

// The busiest links by their utilization, at most `count`.
std::vector<CollectiveReport::LinkRow> busiest(const network::Topology& topology,
                                               std::vector<network::LinkLoad> loads, Duration time,
                                               std::uint32_t count) {
  const auto seconds = [&](const network::LinkLoad& load) {
    return to_seconds(transfer_time(load.bytes, topology.link(load.link).rate));
  };
  const auto busier = [&](const network::LinkLoad& a, const network::LinkLoad& b) {
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

// Nothing where there are too many messages to count them.
std::optional<double> bytes_of_all_links(network::Router& router,
                                         const network::AlgorithmPlan& plan, double layers) {
  try {
    double out = 0;
    for (const network::LinkLoad& load : link_loads(router, plan)) {
      out += static_cast<double>(load.bytes.count()) * layers;
    }
    return out;
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

// Told what links have carried, tells the share of all that they have to carry. Counting that takes
// a part of the time that a run takes: only long runs are worth it.
class ShareCarried {
 public:
  ShareCarried(network::Router& router, const network::AlgorithmPlan& plan,
               const CollectiveOptions& options)
      : router_(router), plan_(plan), options_(options) {}

  void operator()(double carried) {
    if (!options_.progress || std::chrono::steady_clock::now() - begin_ < kShort) return;
    if (!counted_) all_ = bytes_of_all_links(router_, plan_, options_.layers);
    counted_ = true;
    if (all_) options_.progress(carried / *all_);
  }

 private:
  static constexpr std::chrono::seconds kShort{2};

  network::Router& router_;
  const network::AlgorithmPlan& plan_;
  const CollectiveOptions& options_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool counted_ = false;
  std::optional<double> all_;
};

void simulate(network::Router& router, const network::AlgorithmPlan& plan,
              const network::ChunkWork& work, std::uint32_t links, CollectiveReport& report) {
  const network::ChunkResult result = simulate_chunks(router, plan, work);
  report.method = "chunk-level";
  report.simulated = result.time;
  report.sends = result.sends;
  report.events = result.events;
  report.digest = result.digest;
  if (links == 0) return;
  std::vector<network::LinkLoad> loads;
  for (network::LinkId link = 0; link < result.links.size(); ++link) {
    if (result.links[link].bytes > Bytes{}) {
      loads.push_back({.link = link, .bytes = result.links[link].bytes});
    }
  }
  report.links = busiest(router.topology(), std::move(loads), result.time, links);
}

void report_analytic(network::Router& router, const network::AlgorithmPlan& plan,
                     const network::AnalyticTime& analytic, const CollectiveOptions& options,
                     CollectiveReport& report) {
  report.method = analytic.method;
  report.simulated = analytic.time;
  report.above = analytic.above;
  if (options.links == 0) return;
  std::vector<network::LinkLoad> loads = link_loads(router, plan);
  for (network::LinkLoad& load : loads) load.bytes = load.bytes * options.layers;
  report.links = busiest(router.topology(), std::move(loads), analytic.time, options.links);
}

// As a library's tuner would choose, except for start-up and protocols, which cost nothing here, as
// in the message-by-message run. A single candidate needs no estimate.
std::vector<AlgorithmEstimate> estimates_of(network::Router& router,
                                            const network::CollectiveRequest& request) {
  const auto known = candidates(router.topology(), request, true);
  if (known.size() == 1) return {{known.front()->name, Duration(0)}};
  std::vector<AlgorithmEstimate> out;
  for (const network::CollectivePlan& plan : plans_over_topology(router, {}, request, true)) {
    out.push_back({plan.algorithm, plan.alone()});
  }
  return out;
}

}  // namespace

CollectiveReport run_collective(const network::Topology& topology,
                                const CollectiveOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  network::Router router(topology, options.routing);
  network::CollectiveRequest request = request_over_all(topology, options.request);
  std::vector<AlgorithmEstimate> estimates;
  if (request.algorithm == program::CollectiveAlgorithm::kAuto) {
    estimates = estimates_of(router, request);
    request.algorithm = estimates.front().algorithm;
  }
  const network::AlgorithmPlan plan = algorithm_plan(router, request, options.tree_chunk);
  network::ChunkWork work = work_of(options, plan.ranks());
  CollectiveReport report{
      .gpus = plan.ranks(), .algorithm = plan.algorithm, .estimates = std::move(estimates)};
  std::optional<network::AnalyticTime> analytic;
  if (!options.exact) analytic = analytic_time(router, plan, work);
  if (analytic) {
    report_analytic(router, plan, *analytic, options, report);
  } else {
    work.observer = ShareCarried(router, plan, options);
    simulate(router, plan, work, options.links, report);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  report.seconds = elapsed.count();
  return report;
}

}  // namespace septet::command
