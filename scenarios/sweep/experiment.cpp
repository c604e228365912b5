#include "scenarios/sweep/experiment.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/files/sha256.hpp"
#include "scenarios/analysis/run_summary.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_writer.hpp"
#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/serving/serving_run.hpp"
#include "scenarios/study/scenario_study.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

std::string version_of(const config::ProfileLibrary& library, std::string text = {}) {
  for (const config::Profile& profile : library.all()) {
    text += profile.name + config::inline_toml(profile.numbers) + "\n";
  }
  return files::sha256_of_text(text);
}

// Runs `work`; what it throws is the point's status.
template <class Work>
PointResult guarded(Work work) {
  try {
    return work();
  } catch (const serving::DoesNotFit& error) {
    return {Status::kInfeasible, {}, error.reason()};
  } catch (const serving::NotDivisible& error) {
    return {Status::kInfeasible, {}, error.reason()};
  } catch (const std::exception& error) {
    return {Status::kFailed, {}, error.what()};
  }
}

std::vector<Output> outputs_of_scenarios() {
  std::vector<Output> out = {{"simulated_us", "us", "simulated time"},
                             {"gpu_commands", "1", "kernels, copies and other commands"},
                             {"events", "1", "events of the simulation"}};
  for (const auto category : values_of<analysis::TimeCategory>()) {
    const std::string name(text_of(category));
    out.push_back({name + "_us", "us", "time of category " + name});
  }
  return out;
}

class ScenarioExperiment : public Experiment {
 public:
  ScenarioExperiment(const ConfigValue& scenario,
                     const std::vector<std::filesystem::path>& data_directories)
      : library_(data_directories),
        base_(config::resolve(scenario, {}, library_)),
        version_(version_of(library_)) {}

  const std::vector<Output>& outputs() const override { return outputs_; }
  const std::string& data_version() const override { return version_; }
  void check(const Point& point) const override { case_of(point); }

  PointResult run(const Point& point) const override {
    return guarded([&] {
      const study::StudyCase of = case_of(point);
      system::System system(of.state.program, of.state.system);
      const system::ProgramRun run = run_program(system, of.state.options, nullptr);
      return PointResult{Status::kDone, values_of_run(analysis::summarize(run)), {}};
    });
  }

 private:
  study::StudyCase case_of(const Point& point) const {
    const config::WhatIf variation{
        point.name, {}, overlay_of(point, base_.written.where), {}, base_.written.where};
    study::StudyCase out = study::case_of(
        point.name, config::read_scenario(config::vary(base_, variation, library_)), 1);
    if (!point.change.empty()) apply_what_if(point.change, out.state);
    return out;
  }

  static std::vector<double> values_of_run(const analysis::RunSummary& summary) {
    std::vector<double> out = {to_us(summary.span), static_cast<double>(summary.gpu_commands),
                               static_cast<double>(summary.engine.events)};
    for (const auto category : values_of<analysis::TimeCategory>()) {
      out.push_back(to_us(summary.attribution.mean(category)));
    }
    return out;
  }

  config::ProfileLibrary library_;
  config::Configuration base_;
  std::string version_;
  std::vector<Output> outputs_ = outputs_of_scenarios();
};

constexpr int kPercentiles[] = {50, 90, 99};

std::vector<Output> outputs_of_serving() {
  std::vector<Output> out = {
      {"gpus", "1", "GPUs of all replicas"},
      {"offered_requests", "1", "requests that arrived"},
      {"completed_requests", "1", "requests answered in full"},
      {"requests_per_s", "1/s", "completed requests per second"},
      {"output_tokens_per_s", "1/s", "output tokens per second"},
      {"meets_objectives", "1", "1 if every objective of [slo] is met"},
  };
  for (const auto latency : values_of<fleet::Latency>()) {
    const std::string name(text_of(latency));
    out.push_back({name + "_mean_ms", "ms", "mean " + name});
    for (const int percent : kPercentiles) {
      out.push_back({fmt::format("{}_p{}_ms", name, percent), "ms",
                     fmt::format("{}th percentile of {}", percent, name)});
    }
  }
  return out;
}

class ServingExperiment : public Experiment {
 public:
  ServingExperiment(const ConfigValue& scenario,
                    const std::vector<std::filesystem::path>& data_directories)
      : libraries_(data_directories), base_(resolve_serving(scenario, {}, libraries_)) {
    std::string engines;
    for (const serving::EngineProfile& engine : libraries_.engines.all()) {
      engines += engine.name + config::inline_toml(engine.numbers) + "\n";
      for (const ConfigValue& of_class : engine.classes) engines += config::inline_toml(of_class);
    }
    version_ = version_of(libraries_.hardware, std::move(engines));
  }

  const std::vector<Output>& outputs() const override { return outputs_; }
  const std::string& data_version() const override { return version_; }

  void check(const Point& point) const override {
    try {
      serving::case_of(configuration_of(point), libraries_);
    } catch (const serving::DoesNotFit&) {  // a result, which other points needn't share
    } catch (const serving::NotDivisible&) {
    }
  }

  PointResult run(const Point& point) const override {
    return guarded([&] {
      const serving::ScenarioRun done =
          serving::run_scenario(configuration_of(point), libraries_, 1);
      const bool overloaded = done.run.metrics.overloaded;
      return PointResult{
          overloaded ? Status::kSaturated : Status::kDone, values_of_run(done.of, done.run), {}};
    });
  }

 private:
  serving::ServingConfiguration configuration_of(const Point& point) const {
    if (!point.change.empty()) {
      throw ConfigError(base_.written.where, "key `change`: serving scenarios take no what-ifs");
    }
    return serving::vary(base_, overlay_of(point, base_.written.where), libraries_);
  }

  // Latencies of a saturated system grow with the length of the run: they are no result.
  static std::vector<double> values_of_run(const serving::ServingCase& of,
                                           const serving::ServingRun& run) {
    const fleet::FleetMetrics& metrics = run.metrics;
    std::vector<double> out = {static_cast<double>(of.fleet.replicas) * of.gpus_of_replica(),
                               static_cast<double>(metrics.offered.requests),
                               static_cast<double>(metrics.completed.requests),
                               metrics.per_second(metrics.completed.requests),
                               metrics.per_second(metrics.completed.output_tokens),
                               run.holds() ? 1.0 : 0.0};
    for (const auto latency : values_of<fleet::Latency>()) {
      const fleet::Distribution& values = metrics.of(latency);
      const auto milliseconds = [&](Duration time) {
        const bool known = !metrics.overloaded && values.count() > 0;
        return known ? to_us(time) * 1e-3 : std::numeric_limits<double>::quiet_NaN();
      };
      out.push_back(milliseconds(values.mean()));
      for (const int percent : kPercentiles) out.push_back(milliseconds(values.at(percent)));
    }
    return out;
  }

  serving::Libraries libraries_;
  serving::ServingConfiguration base_;
  std::string version_;
  std::vector<Output> outputs_ = outputs_of_serving();
};

}  // namespace

std::unique_ptr<Experiment> experiment_of(
    const ConfigValue& scenario, const std::vector<std::filesystem::path>& data_directories) {
  if (serving::is_serving(scenario)) {
    return std::make_unique<ServingExperiment>(scenario, data_directories);
  }
  return std::make_unique<ScenarioExperiment>(scenario, data_directories);
}

}  // namespace septet::sweep
