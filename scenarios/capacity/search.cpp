#include "scenarios/capacity/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "scenarios/capacity/limits.hpp"
#include "scenarios/capacity/remedy.hpp"

namespace septet::capacity {
namespace {

// Where max_gpus are too few, fleets up to so many times as large are tried.
constexpr std::uint32_t kBeyond = 8;
constexpr double kMostHeadroom = 4;
constexpr double kHeadroomStep = 1.02;  // ends of the bisection, at most so far apart
constexpr double kCurve[] = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 2};

// Tokens of all answers over the time of the arrivals; 0 where that isn't a rate of its own:
// clients wait for answers, or all arrive at once.
double offered_output_tokens_per_s(const requests::Workload& workload) {
  double tokens = 0;
  Instant last;
  for (const requests::Request& request : workload.requests) {
    if (request.follows != requests::kNoRequest) return 0;
    tokens += static_cast<double>(request.output_tokens);
    last = std::max(last, request.arrival);
  }
  const double seconds = to_seconds(last - workload.requests.front().arrival);
  return workload.concurrency || seconds <= 0 ? 0 : tokens / seconds;
}

class Search {
 public:
  Search(const serving::ServingConfiguration& base, const serving::Libraries& libraries,
         unsigned threads, const Tell& tell)
      : base_(base), libraries_(libraries), tell_(tell), evaluator_(base, threads) {
    out_.options = options_of(base, libraries);
    out_.model_error = model_error_of(base);
    out_.budget = base.text.slo.budget;
    out_.power = base.text.slo.power;
    out_.max_gpus = base.text.search.max_gpus;
  }

  CapacityResult run() {
    check_throughput();
    for (std::size_t i = 0; i < out_.options.size(); ++i) {
      Option& option = out_.options[i];
      if (!option.removed_by) bound_by_longest_request(option, evaluator_.workload());
      if (!option.removed_by) {
        bound_by_request_alone(option, evaluator_.workload(), base_.text.slo);
      }
      if (!option.removed_by) bound_by_cost(option, base_.text.slo);
      if (!option.removed_by) try_option(i);
    }
    if (out_.best) {
      look_around();
      out_.sensitivities =
          sensitivities_of(evaluator_, out_.options, *out_.best, out_.model_error.relative);
      keep_best();
    }
    if (!out_.best) {
      look_beyond();
      find_remedies();
    }
    out_.limits = limits_of(out_);
    out_.runs = evaluator_.runs();
    return std::move(out_);
  }

 private:
  // No fleet answers more tokens than requests ask for.
  void check_throughput() const {
    const std::optional<double>& wanted = base_.text.slo.output_tokens_per_s;
    const double offered = offered_output_tokens_per_s(evaluator_.workload());
    if (!wanted || offered == 0 || *wanted <= offered) return;
    base_.text.slo.place.fail("output_tokens_per_s", fmt::format("{:.6g}", *wanted),
                              fmt::format("at most what the requests ask for, {:.6g}", offered));
  }

  std::uint32_t most_replicas(std::size_t option) const {
    return out_.options[option].most_replicas;
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
    const auto holds = [&](std::uint32_t replicas) {
      return candidate(option, replicas).holds_at_any_cost;
    };
    const std::optional<std::uint32_t> least = least_that(holds, 1, most_replicas(option));
    if (!least) return;
    const Candidate found = candidate(option, *least);
    if (!found.holds) return;  // a larger fleet costs and draws more
    if (!out_.best || worth(found) < worth(*out_.best)) out_.best = found;
  }

  // The less, the better.
  std::array<double, 3> worth(const Candidate& candidate) const {
    const double gpus = candidate.gpus;
    switch (base_.text.search.minimise) {
      case serving::Minimise::kGpus:
        break;
      case serving::Minimise::kCost:
        return {candidate.cost_per_hour.value_or(0), gpus, candidate.gpu_busy_share};
      case serving::Minimise::kPower:
        return {candidate.power.count(), gpus, candidate.gpu_busy_share};
    }
    return {gpus, candidate.gpu_busy_share, 0};
  }

  // Every option failed with as many GPUs as are allowed, or as the budget and power allow: how
  // many would do, whatever they cost.
  void look_beyond() {
    for (std::size_t i = 0; i < out_.options.size(); ++i) {
      const std::optional<Bound>& bound = out_.options[i].removed_by;
      if (bound && *bound != Bound::kBudget && *bound != Bound::kPower) continue;
      const auto try_one = [&](std::uint32_t replicas) {
        return evaluator_.evaluate(out_.options, i, replicas, {.any_cost = true});
      };
      const auto holds = [&](std::uint32_t replicas) { return try_one(replicas).holds; };
      const std::uint32_t most = out_.options[i].most_replicas;
      const auto least = least_that(holds, most + 1, kBeyond * std::max(most, 1U));
      if (!least) continue;
      const Candidate found = try_one(*least);
      if (!out_.beyond || worth(found) < worth(*out_.beyond)) out_.beyond = found;
    }
  }

  void find_remedies() {
    for (Option& option : out_.options) {
      if (!option.removed_by) continue;
      option.remedy = remedy_of(option, base_, libraries_, evaluator_.workload());
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
    sureness.gpus_if_slower = gpus_if(1 + out_.model_error.relative);
    sureness.gpus_if_faster = gpus_if(1 - out_.model_error.relative);
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
    return out_.options[out_.best->option].gpus_of_fleet(*least);
  }

  const serving::ServingConfiguration& base_;
  const serving::Libraries& libraries_;
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
  // A budget alone asks for nothing: no fleet costs least.
  const bool any = !slo.latencies.empty() || slo.output_tokens_per_s || slo.goodput_share;
  if (!any) {
    throw ConfigError::value(text.place.where(), "slo", "no objectives",
                             "a table [slo] with at least one");
  }
  if (text.search.minimise == serving::Minimise::kCost && text.serving.prices.empty() &&
      !text.serving.gpu_hour_price) {
    text.search.place.fail("minimise", "\"cost\" without prices",
                           "serving.prices or serving.gpu_hour_price");
  }
  if (text.autoscaling.place.table != nullptr) {
    text.place.fail("autoscaling", "a table together with [search]", "one of both");
  }
}

}  // namespace

std::uint64_t candidates_allowed(const CapacityResult& result) {
  std::uint64_t sum = 0;
  for (const Option& option : result.options) {
    sum += option.most_replicas;
    for (const std::uint32_t removed : option.candidates_removed) sum += removed;
  }
  return sum;
}

std::uint64_t candidates_removed(const CapacityResult& result, Bound bound) {
  std::uint64_t sum = 0;
  for (const Option& option : result.options) {
    sum += option.candidates_removed[static_cast<std::size_t>(bound)];
  }
  return sum;
}

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
