#include "scenarios/sweep/run_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "core/engine/independent_work.hpp"
#include "core/files/sha256.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/sweep/result_text.hpp"

namespace septet::sweep {
namespace {

std::vector<const Point*> open_points(const Points& points, const Results& results,
                                      const Shard& shard) {
  std::vector<const Point*> out;
  for (std::size_t i = 0; i < points.all.size(); ++i) {
    if (!shard.holds(i)) continue;
    const auto known = results.find(points.all[i].name);
    if (known == results.end() || !is_result(known->second.status)) out.push_back(&points.all[i]);
  }
  return out;
}

PointResult tried(const Experiment& experiment, const Point& point, unsigned threads) {
  try {
    return experiment.run(point, threads);
  } catch (const std::bad_alloc&) {
    return {Status::kFailed, {}, "not enough memory"};
  }
}

PointResult result_of(const engine::CallAnswer& answer) {
  switch (answer.end) {
    case engine::CallEnd::kAnswered:
      return read_result(answer.text).result;
    case engine::CallEnd::kTimedOut:
      return {Status::kTimedOut, {}, "took longer than --time-limit-per-point"};
    case engine::CallEnd::kOutOfMemory:
      return {Status::kFailed, {}, "needs more memory than --memory-limit-per-point"};
    case engine::CallEnd::kDied:
      return {Status::kFailed, {}, "its process " + answer.text};
  }
  SEPTET_ASSERT(false);
}

// One pass over the points of a sweep.
class Pass {
 public:
  Pass(const Experiment& experiment, std::vector<const Point*> open, Journal& journal,
       const RunOptions& options)
      : experiment_(experiment), open_(std::move(open)), journal_(journal), options_(options) {}

  bool run() {
    const bool limited = options_.limits.time || options_.limits.memory;
    limited ? run_in_processes() : run_in_threads();
    journal_.sync();
    return !stopped_;
  }

 private:
  // Of fewer points than threads each has several.
  static unsigned threads_of_point(std::size_t points, unsigned threads) {
    return std::max(1U, threads / static_cast<unsigned>(std::clamp<std::size_t>(points, 1, 1024)));
  }

  bool must_stop() {
    if (!stopped_ && options_.stop && options_.stop()) stopped_ = true;
    return stopped_;
  }

  void run_in_threads() {
    engine::for_each_independent(open_.size(), options_.threads, [this](std::size_t i) {
      if (must_stop()) return;
      PointResult result = tried(experiment_, *open_[i], threads_each_);
      for (std::uint32_t t = 0; t < options_.retries && !is_result(result.status); ++t) {
        result = tried(experiment_, *open_[i], threads_each_);
      }
      take(i, result);
    });
  }

  // Points that have no result come again after the others.
  void run_in_processes() {
    std::vector<std::size_t> wanted(open_.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = i;
    for (std::uint32_t left = options_.retries; !wanted.empty() && !must_stop(); --left) {
      std::vector<std::size_t> again;
      const bool ended = engine::run_isolated(
          {wanted.size(), options_.threads, options_.limits,
           [&](std::size_t call) {
             const Point& point = *open_[wanted[call]];
             return result_text(point.name, experiment_.run(point, threads_each_));
           },
           [&](std::size_t call, const engine::CallAnswer& answer) {
             const PointResult result = result_of(answer);
             if (left > 0 && !is_result(result.status)) {
               again.push_back(wanted[call]);
             } else {
               take(wanted[call], result);
             }
           },
           [this] { return must_stop(); }});
      if (!ended) stopped_ = true;
      wanted = std::move(again);
    }
  }

  void take(std::size_t i, const PointResult& result) {
    journal_.add(open_[i]->name, result);
    if (options_.fail_fast && !is_result(result.status)) stopped_ = true;
    const std::size_t count = ++done_;
    if (!options_.progress) return;
    const std::lock_guard lock(telling_);
    options_.progress(static_cast<double>(count) / static_cast<double>(open_.size()));
  }

  const Experiment& experiment_;
  std::vector<const Point*> open_;
  Journal& journal_;
  const RunOptions& options_;
  const unsigned threads_each_ = threads_of_point(open_.size(), options_.threads);
  std::atomic<bool> stopped_{false};
  std::atomic<std::size_t> done_{0};
  std::mutex telling_;
};

}  // namespace

std::vector<const Point*> points_with_new_values(const Points& points) {
  std::vector<const Point*> out;
  std::unordered_set<std::string> seen;
  for (const Point& point : points.all) {
    bool is_new = out.empty();
    for (const auto& [key, value] : point.settings) {
      is_new |= seen.insert(fmt::format("{}={}", key, config::inline_toml(value))).second;
    }
    if (is_new) out.push_back(&point);
  }
  return out;
}

void check_points(const Experiment& experiment, const std::vector<const Point*>& points) {
  for (const Point* point : points) experiment.check(*point);
}

std::string version_of_inputs(const Experiment& experiment,
                              const std::vector<const Point*>& points) {
  std::set<std::string> seen;
  std::string all;
  for (const Point* point : points) {
    for (const std::string& file : experiment.inputs_of(*point)) {
      if (seen.insert(file).second) all += files::sha256_of_file(file) + "\n";
    }
  }
  return all.empty() ? all : files::sha256_of_text(all);
}

bool run_points(const Experiment& experiment, const Points& points, Journal& journal,
                const RunOptions& options) {
  return Pass(experiment, open_points(points, journal.results(), options.shard), journal, options)
      .run();
}

}  // namespace septet::sweep
