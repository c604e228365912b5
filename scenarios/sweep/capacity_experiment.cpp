// The outputs of `septet capacity`: the smallest fleet that meets the objectives.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/capacity/search.hpp"
#include "scenarios/sweep/experiments.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

std::vector<Output> outputs_of_capacity() {
  return {{"gpus", "1", "GPUs of the smallest fleet that holds", Better::kLess},
          {"gpu", Output::kText, "their kind"},
          {"engine", Output::kText, "the engine"},
          {"tensor_parallel_size", "1", "GPUs of a tensor group"},
          {"replicas", "1", "replicas of the model"},
          {"worst_share", "1", "the objective nearest to its limit: reached, as a share of it"},
          {"output_tokens_per_s", "1/s", "output tokens per second of the fleet", Better::kMore},
          {"gpu_busy_share", "1", "share of the time in which GPUs are busy"},
          {"cost_per_million_output_tokens", "1", "in the currency of the prices", Better::kLess},
          {"headroom", "1", "the rate times this still holds", Better::kMore},
          {"gpus_if_slower", "1", "GPUs needed if steps take longer by the model's error"},
          {"gpus_if_faster", "1", "and if they are shorter by it"},
          {"months", "1", "until growth uses up the headroom", Better::kMore}};
}

template <class Number>
double or_unknown(const std::optional<Number>& value) {
  return value ? static_cast<double>(*value) : kUnknown;
}

std::string why_not(const capacity::CapacityResult& result) {
  std::vector<std::string> out;
  for (const capacity::Limit& limit : result.limits) {
    out.push_back(fmt::format("{}: {}", limit.objective, text_of(limit.kind)));
  }
  return out.empty() ? "no fleet holds" : fmt::format("{}", fmt::join(out, "; "));
}

class CapacityExperiment : public ExperimentWith<serving::Libraries> {
 public:
  CapacityExperiment(const ConfigValue& scenario, const Folders& data_directories)
      : ExperimentWith(outputs_of_capacity(), data_directories) {
    if (!serving::is_serving(scenario)) {
      throw ConfigError(scenario.where, "no table [serving]: command \"capacity\" needs one");
    }
    base_ = resolve_serving(scenario, {}, library());
  }

  std::vector<std::string> inputs_of(const Point& point) const override {
    return logs_of(configuration_of(point));
  }

  void check(const Point& point) const override { configuration_of(point); }

  PointResult run(const Point& point, unsigned threads) const override {
    return guarded([&] {
      const capacity::CapacityResult result =
          capacity::search_capacity(configuration_of(point), library(), threads);
      if (!result.best) return PointResult{Status::kInfeasible, {}, why_not(result)};
      return PointResult{Status::kDone, values_of_fleet(result), {}};
    });
  }

 private:
  serving::ServingConfiguration configuration_of(const Point& point) const {
    refuse_change(point, base_.written.where, "septet capacity");
    return varied(base_, point, library());
  }

  static std::vector<OutputValue> values_of_fleet(const capacity::CapacityResult& result) {
    const capacity::Candidate& best = *result.best;
    const capacity::Option& option = result.options[best.option];
    const capacity::Sureness& sure = result.sureness;
    std::vector<OutputValue> out;
    out.emplace_back(static_cast<double>(best.gpus));
    out.emplace_back(option.gpu);
    out.emplace_back(option.engine);
    for (const double number :
         {static_cast<double>(option.tensor_parallel_size), static_cast<double>(best.replicas),
          capacity::worst_share(best), best.output_tokens_per_s.mean, best.gpu_busy_share,
          or_unknown(best.cost_per_million_output_tokens), sure.headroom,
          or_unknown(sure.gpus_if_slower), or_unknown(sure.gpus_if_faster),
          or_unknown(sure.months)}) {
      out.emplace_back(number);
    }
    return out;
  }

  serving::ServingConfiguration base_;
};

}  // namespace

std::unique_ptr<Experiment> capacity_experiment(const ConfigValue& scenario,
                                                const Folders& data_directories) {
  return std::make_unique<CapacityExperiment>(scenario, data_directories);
}

}  // namespace septet::sweep
