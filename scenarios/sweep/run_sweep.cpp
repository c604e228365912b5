#include "scenarios/sweep/run_sweep.hpp"

#include <atomic>
#include <set>

#include <fmt/format.h>

#include "core/engine/independent_work.hpp"
#include "scenarios/config/toml/toml_writer.hpp"

namespace septet::sweep {
namespace {

std::vector<const Point*> open_points(const Points& points, const Results& results,
                                      const Shard& shard) {
  std::vector<const Point*> out;
  for (std::size_t i = 0; i < points.all.size(); ++i) {
    if (!shard.holds(i)) continue;
    const auto known = results.find(points.all[i].name);
    if (known == results.end() || known->second.status == Status::kFailed) {
      out.push_back(&points.all[i]);
    }
  }
  return out;
}

PointResult run_with_retries(const Experiment& experiment, const Point& point,
                             std::uint32_t retries) {
  PointResult out = experiment.run(point);
  for (std::uint32_t i = 0; i < retries && out.status == Status::kFailed; ++i) {
    out = experiment.run(point);
  }
  return out;
}

}  // namespace

void check_points(const Experiment& experiment, const Points& points) {
  std::set<std::string> seen;
  for (const Point& point : points.all) {
    bool is_new = false;
    for (const auto& [key, value] : point.settings) {
      is_new |= seen.insert(fmt::format("{}={}", key, config::inline_toml(value))).second;
    }
    if (is_new || &point == &points.all.front()) experiment.check(point);
  }
}

bool run_points(const Experiment& experiment, const Points& points, Journal& journal,
                const RunOptions& options) {
  const std::vector<const Point*> open = open_points(points, journal.results(), options.shard);
  std::atomic<bool> stopped{false};
  std::atomic<std::size_t> done{0};
  std::mutex telling;
  const auto run = [&](std::size_t i) {
    if (stopped || (options.stop && options.stop())) {
      stopped = true;
      return;
    }
    const PointResult result = run_with_retries(experiment, *open[i], options.retries);
    journal.add(open[i]->name, result);
    if (options.fail_fast && result.status == Status::kFailed) stopped = true;
    const std::size_t count = ++done;
    if (!options.progress) return;
    const std::lock_guard lock(telling);
    options.progress(static_cast<double>(count) / static_cast<double>(open.size()));
  };
  engine::for_each_independent(open.size(), options.threads, run);
  journal.sync();
  return !stopped;
}

}  // namespace septet::sweep
