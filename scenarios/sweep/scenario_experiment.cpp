// The outputs of `septet run` for a scenario with a program.
#include "scenarios/analysis/run_summary.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/study/scenario_study.hpp"
#include "scenarios/sweep/experiments.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

std::vector<Output> outputs_of_scenarios() {
  std::vector<Output> out = {{"simulated_us", "us", "simulated time", Better::kLess},
                             {"gpu_commands", "1", "kernels, copies and other commands"},
                             {"events", "1", "events of the simulation"}};
  add_category_outputs(out);
  return out;
}

class ScenarioExperiment : public ExperimentWith<config::ProfileLibrary> {
 public:
  ScenarioExperiment(const ConfigValue& scenario, const Folders& data_directories)
      : ExperimentWith(outputs_of_scenarios(), data_directories),
        base_(config::resolve(scenario, {}, library())) {}

  void check(const Point& point) const override { case_of(point); }

  PointResult run(const Point& point, unsigned threads) const override {
    return guarded([&] {
      study::StudyCase of = case_of(point);
      of.state.options.threads = threads;
      system::System system(of.state.program, of.state.system);
      const system::ProgramRun run = run_program(system, of.state.options, nullptr);
      return PointResult{Status::kDone, values_of_run(analysis::summarize(run)), {}};
    });
  }

 private:
  study::StudyCase case_of(const Point& point) const {
    study::StudyCase out =
        study::case_of(point.name, config::read_scenario(varied(base_, point, library())), 1);
    if (!point.change.empty()) apply_what_if(point.change, out.state);
    return out;
  }

  static std::vector<OutputValue> values_of_run(const analysis::RunSummary& summary) {
    std::vector<OutputValue> out = {to_us(summary.span), static_cast<double>(summary.gpu_commands),
                                    static_cast<double>(summary.engine.events)};
    add_category_values(summary.attribution, out);
    return out;
  }

  config::Configuration base_;
};

}  // namespace

std::unique_ptr<Experiment> scenario_experiment(const ConfigValue& scenario,
                                                const Folders& data_directories) {
  return std::make_unique<ScenarioExperiment>(scenario, data_directories);
}

}  // namespace septet::sweep
