#include "scenarios/capacity/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "scenarios/capacity/limits.hpp"

namespace septet::capacity {
namespace {

// Where max_gpus are too few, fleets up to so many times as large are tried.
constexpr std::uint32_t kBeyond = 8;
constexpr double kMostHeadroom = 4;
constexpr double kHeadroomStep = 1.02;  // ends of the bisection, at most so far apart
constexpr double kCurve[] = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 2};

class Search {
 public:
  Search(const serving::ServingConfiguration& base, const serving::Libraries& libraries,
         unsigned threads, const Tell& tell)
      : base_(base), tell_(tell), evaluator_(base, threads) {
    out_.options = options_of(base, libraries);
    out_.model_error = base.text.search.model_error;
  }

  CapacityResult run() {
    for (std::size_t i = 0; i < out_.options.size(); ++i) {
      Option& option = out_.options[i];
      if (!option.removed_by) {
        bound_by_request_alone(option, evaluator_.workload(), base_.text.slo);
      }
      if (!option.removed_by) try_option(i);
    }
    if (out_.best) {
      look_around();
      out_.sensitivities = sensitivities_of(evaluator_, out_.options, *out_.best, out_.model_error);
      keep_best();
    }
    if (!out_.best) look_beyond();
    out_.limits = limits_of(out_);
    out_.runs = evaluator_.runs();
    return std::move(out_);
  }

 private:
  std::uint32_t most_replicas(std::size_t option) const {
    return base_.text.search.max_gpus / out_.options[option].gpus_of_replica();
  }

  // A candidate of the search, kept.
  const Candidate& candidate(std::size_t option, std::uint32_t replicas) {
    const auto same = [&](const Candidate& one) {
      return one.option == option && one.replicas == replicas;
    };
    const auto known = std::ranges::find_if(out_.candidates, same);
    if (known != out_.candidates.end()) return *known;
    if (tell_) tell_(out_.options[option], replicas);
    out_.candidates.push_back(evaluator_.evaluate(out_.options, option, replicas));
    return out_.candidates.back();
  }

  void try_option(std::size_t option) {
    const auto holds = [&](std::uint32_t replicas) { return candidate(option, replicas).holds; };
    const std::optional<std::uint32_t> least = least_that(holds, 1, most_replicas(option));
    if (!least) return;
    const Candidate found = candidate(option, *least);
    const bool better =
        !out_.best || found.gpus < out_.best->gpus ||
        (found.gpus == out_.best->gpus && found.gpu_busy_share < out_.best->gpu_busy_share);
    if (better) out_.best = found;
  }

  // Every option failed with as many GPUs as are allowed.
  void look_beyond() {
    for (std::size_t i = 0; i < out_.options.size(); ++i) {
      if (out_.options[i].removed_by) continue;
      const auto try_one = [&](std::uint32_t replicas) {
        return evaluator_.evaluate(out_.options, i, replicas);
      };
      const auto holds = [&](std::uint32_t replicas) { return try_one(replicas).holds; };
      const std::uint32_t most = most_replicas(i);
      const auto least = least_that(holds, most + 1, kBeyond * most);
      if (!least) continue;
      const Candidate found = try_one(*least);
      if (!out_.beyond || found.gpus < out_.beyond->gpus) out_.beyond = found;
    }
  }

  // The smallest number from `first` to `most` that holds: doubled, then bisected.
  template <class Holds>
  static std::optional<std::uint32_t> least_that(const Holds& holds, std::uint32_t first,
                                                 std::uint32_t most) {
    std::uint32_t fails = first - 1;
    std::uint32_t tried = first;
    while (!holds(tried)) {
      if (tried == most) return std::nullopt;
      fails = tried;
      tried = std::min(2 * tried, most);
    }
    while (tried - fails > 1) {
      const std::uint32_t middle = fails + (tried - fails) / 2;
      (holds(middle) ? tried : fails) = middle;
    }
    return tried;
  }

  bool best_holds(std::uint32_t replicas, const Question& question) {
    return evaluator_.evaluate(out_.options, out_.best->option, replicas, question).holds;
  }

  void look_around() {
    const Candidate& best = *out_.best;
    for (const double factor : kCurve) {
      out_.curve.push_back(
          {factor, evaluator_.evaluate(out_.options, best.option, best.replicas, {factor, 1})});
    }
    Sureness& sureness = out_.sureness;
    sureness.headroom = headroom();
    if (best.replicas > 1) sureness.holds_without_one = best_holds(best.replicas - 1, {});
    sureness.gpus_if_slower = gpus_if(1 + out_.model_error);
    sureness.gpus_if_faster = gpus_if(1 - out_.model_error);
    const double growth = base_.text.search.growth_per_month;
    if (growth > 0) sureness.months = std::log(sureness.headroom) / std::log1p(growth);
  }

  void keep_best() {
    const Option& option = out_.options[out_.best->option];
    serving::ServingRun run = evaluator_.run_once(option, out_.best->replicas);
    const double seconds = to_seconds(run.metrics.arrivals);
    if (seconds > 0) {
      out_.offered_requests_per_s = static_cast<double>(run.metrics.offered.requests) / seconds;
    }
    out_.best_run = {evaluator_.workload(), std::move(run)};
  }

  double headroom() {
    double holds = 1;
    double fails = kMostHeadroom;
    if (best_holds(out_.best->replicas, {fails, 1})) return fails;
    while (fails / holds > kHeadroomStep) {
      const double middle = std::sqrt(fails * holds);
      (best_holds(out_.best->replicas, {middle, 1}) ? holds : fails) = middle;
    }
    return holds;
  }

  std::optional<std::uint32_t> gpus_if(double service_factor) {
    const auto holds = [&](std::uint32_t replicas) {
      return best_holds(replicas, {1, service_factor});
    };
    const auto least = least_that(holds, 1, most_replicas(out_.best->option));
    if (!least) return std::nullopt;
    return *least * out_.options[out_.best->option].gpus_of_replica();
  }

  const serving::ServingConfiguration& base_;
  const Tell& tell_;
  Evaluator evaluator_;
  CapacityResult out_;
};

// Objectives that no fleet can meet, whatever it is.
void check(const serving::ServingConfiguration& base) {
  const serving::ServingText& text = base.text;
  const serving::SloText& slo = text.slo;
  if (text.search.place.table == nullptr) {
    throw ConfigError::value(text.place.where(), "search", "nothing",
                             "a table [search], with max_gpus");
  }
  const bool any = !slo.latencies.empty() || slo.output_tokens_per_s || slo.goodput_share;
  if (!any) {
    throw ConfigError::value(text.place.where(), "slo", "no objectives",
                             "a table [slo] with at least one");
  }
  if (text.autoscaling.place.table != nullptr) {
    text.place.fail("autoscaling", "a table together with [search]", "one of both");
  }
}

}  // namespace

CapacityResult search_capacity(const serving::ServingConfiguration& base,
                               const serving::Libraries& libraries, unsigned threads,
                               const Tell& tell) {
  check(base);
  return Search(base, libraries, threads, tell).run();
}

serving::ServingConfiguration resolve_search(const config::ConfigValue& tree,
                                             const std::vector<std::string>& settings,
                                             const serving::Libraries& libraries) {
  if (!serving::is_serving(tree)) {
    throw ConfigError(tree.where, "no table [serving]: septet capacity needs a serving scenario");
  }
  return resolve_serving(tree, settings, libraries);
}

}  // namespace septet::capacity
