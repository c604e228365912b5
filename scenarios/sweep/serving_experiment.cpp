// The outputs of `septet run` for LLM serving.
#include <fmt/format.h>

#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/serving/serving_run.hpp"
#include "scenarios/sweep/experiments.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

constexpr int kPercentiles[] = {50, 90, 99};

std::vector<Output> outputs_of_serving() {
  std::vector<Output> out = {
      {"gpus", "1", "GPUs of all replicas", Better::kLess},
      {"offered_requests", "1", "requests that arrived"},
      {"completed_requests", "1", "requests answered in full"},
      {"requests_per_s", "1/s", "completed requests per second", Better::kMore},
      {"output_tokens_per_s", "1/s", "output tokens per second", Better::kMore},
      {"meets_objectives", "1", "1 if every objective of [slo] is met"},
  };
  for (const auto latency : values_of<fleet::Latency>()) {
    const std::string name(text_of(latency));
    out.push_back({name + "_mean_ms", "ms", "mean " + name, Better::kLess});
    for (const int percent : kPercentiles) {
      out.push_back({fmt::format("{}_p{}_ms", name, percent), "ms",
                     fmt::format("{}th percentile of {}", percent, name), Better::kLess});
    }
  }
  return out;
}

class ServingExperiment : public ExperimentWith<serving::Libraries> {
 public:
  ServingExperiment(const ConfigValue& scenario, const Folders& data_directories)
      : ExperimentWith(outputs_of_serving(), data_directories),
        base_(resolve_serving(scenario, {}, library())) {}

  std::vector<std::string> inputs_of(const Point& point) const override {
    return logs_of(configuration_of(point));
  }

  void check(const Point& point) const override {
    try {
      serving::case_of(configuration_of(point), library());
    } catch (const serving::DoesNotFit&) {  // a result, which other points needn't share
    } catch (const serving::NotDivisible&) {
    }
  }

  PointResult run(const Point& point, unsigned threads) const override {
    return guarded([&] {
      const serving::ScenarioRun done =
          serving::run_scenario(configuration_of(point), library(), threads);
      const bool overloaded = done.run.metrics.overloaded;
      return PointResult{
          overloaded ? Status::kSaturated : Status::kDone, values_of_run(done.of, done.run), {}};
    });
  }

 private:
  serving::ServingConfiguration configuration_of(const Point& point) const {
    refuse_change(point, base_.written.where, "LLM serving");
    return varied(base_, point, library());
  }

  // Latencies of a saturated system grow with the length of the run: they are no result.
  static std::vector<OutputValue> values_of_run(const serving::ServingCase& of,
                                                const serving::ServingRun& run) {
    const fleet::FleetMetrics& metrics = run.metrics;
    std::vector<OutputValue> out = {static_cast<double>(of.gpus_of_fleet(of.fleet.replicas)),
                                    static_cast<double>(metrics.offered.requests),
                                    static_cast<double>(metrics.completed.requests),
                                    metrics.per_second(metrics.completed.requests),
                                    metrics.per_second(metrics.completed.output_tokens),
                                    run.holds() ? 1.0 : 0.0};
    for (const auto latency : values_of<fleet::Latency>()) {
      const fleet::Distribution& values = metrics.of(latency);
      const auto milliseconds = [&](Duration time) {
        const bool known = !metrics.overloaded && values.count() > 0;
        return known ? to_us(time) * 1e-3 : kUnknown;
      };
      out.emplace_back(milliseconds(values.mean()));
      for (const int percent : kPercentiles) out.emplace_back(milliseconds(values.at(percent)));
    }
    return out;
  }

  serving::ServingConfiguration base_;
};

}  // namespace

std::unique_ptr<Experiment> serving_experiment(const ConfigValue& scenario,
                                               const Folders& data_directories) {
  return std::make_unique<ServingExperiment>(scenario, data_directories);
}

}  // namespace septet::sweep
