#include "tools/septet/sweep/sweep_listing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "scenarios/config/toml/toml_writer.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/sweep/slurm_script.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kEstimated = 3;  // points that an estimate runs

struct Estimate {
  double seconds_each = 0;
  double bytes = 0;  // the process's peak
};

Estimate estimate_of(const Sweep& sweep) {
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t count = std::min(kEstimated, sweep.points.all.size());
  for (std::size_t i = 0; i < count; ++i) sweep.experiment->run(sweep.points.all[i], 1);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {wall.count() / static_cast<double>(count), static_cast<double>(usage.ru_maxrss) * 1024};
}

// What a controller of Slurm doesn't like.
void warn_of_tasks(std::uint64_t tasks, double seconds_each) {
  constexpr std::uint64_t kUsualMost = 1000;  // MaxArraySize is 1001 unless configured otherwise
  constexpr double kShort = 60;
  if (tasks > kUsualMost) {
    fmt::print(stderr,
               "septet: note: {} tasks; many a Slurm takes no more than {} (MaxArraySize in "
               "'scontrol show config')\n",
               tasks, kUsualMost);
  }
  if (tasks > 1 && seconds_each < kShort) {
    const double all = seconds_each * static_cast<double>(tasks);
    fmt::print(stderr,
               "septet: note: each task has about {:.0f} s of work: --slurm {:.0f} makes them a "
               "minute long, and the scheduler's work less\n",
               seconds_each, std::max(1.0, std::floor(all / kShort)));
  }
}

}  // namespace

void print_points(const Sweep& sweep, const SweepRequest& request) {
  const Estimate estimate = estimate_of(sweep);
  const double all = estimate.seconds_each * static_cast<double>(sweep.points.all.size()) /
                     static_cast<double>(request.common.threads);
  if (request.common.json) {
    Json points = Json::array();
    for (const sweep::Point& point : sweep.points.all) {
      points.push_back({{"point", point.name}, {"settings", sweep::settings_text(point.settings)}});
    }
    fmt::print("{}\n", Json{{"points", sweep.points.all.size()},
                            {"estimated_s", all},
                            {"estimated_bytes", estimate.bytes},
                            {"list", std::move(points)}}
                           .dump(2));
    return;
  }
  for (std::size_t i = 0; i < std::min(kListedPoints, sweep.points.all.size()); ++i) {
    fmt::print("{}  {}\n", sweep.points.all[i].name,
               sweep::settings_text(sweep.points.all[i].settings));
  }
  if (sweep.points.all.size() > kListedPoints) {
    fmt::print("... and {} more\n", sweep.points.all.size() - kListedPoints);
  }
  fmt::print("{} points, about {} on {} threads, {:.0f} MB\n", sweep.points.all.size(),
             duration_text(all), request.common.threads, estimate.bytes / 1e6);
}

void print_point(const Sweep& sweep, const SweepRequest& request) {
  const auto point = std::ranges::find(sweep.points.all, request.point, &sweep::Point::name);
  if (point == sweep.points.all.end()) {
    throw UsageError(fmt::format("--point: got '{}', wanted the name of one of {} points",
                                 request.point, sweep.points.all.size()),
                     kSweepCommand);
  }
  fmt::print("# {}: {}\n# {}\n", request.file, sweep::settings_text(point->settings),
             line_of_point(request, sweep, *point));
  fmt::print("{}",
             config::write_toml(scenario_of(sweep.scenario, *point), config::Origins::kHidden));
}

void print_script(const Sweep& sweep, const SweepRequest& request) {
  const std::size_t points = sweep.points.all.size();
  const std::uint64_t tasks = std::min<std::uint64_t>(request.slurm, points);
  const double each = estimate_of(sweep).seconds_each * static_cast<double>(points) /
                      static_cast<double>(tasks * request.common.threads);
  warn_of_tasks(tasks, each);
  fmt::print("{}", slurm_script({"septet-" + std::filesystem::path(request.file).stem().string(),
                                 plain_command(request), tasks, request.common.threads, each}));
}

}  // namespace septet::command
