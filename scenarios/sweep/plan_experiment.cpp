// The outputs of `septet plan`: the fastest layout of a training step, or the given one where the
// file has no table [plan].
#include <utility>

#include <fmt/format.h>

#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "scenarios/sweep/experiments.hpp"
#include "scenarios/training/plan.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

std::vector<Output> outputs_of_plan() {
  return {{"step_us", "us", "time of a step of the fastest layout", Better::kLess},
          {"layout", Output::kText, "that layout"},
          {"gpus", "1", "GPUs of the layout"},
          {"tokens_per_s_gpu", "1/s", "tokens per second and GPU", Better::kMore},
          {"model_flops_utilization", "1", "model FLOPs as a share of the peak", Better::kMore},
          {"pipeline_share", "1", "share of the step spent waiting for other stages"},
          {"memory_bytes", "B", "memory of the fullest GPU", Better::kLess},
          {"given_step_us", "us", "time of a step of the layout in the file, where it fits"},
          {"simulated", "1", "layouts that were simulated"}};
}

class PlanExperiment : public ExperimentWith<config::ProfileLibrary> {
 public:
  PlanExperiment(const ConfigValue& scenario, const Folders& data_directories)
      : ExperimentWith(outputs_of_plan(), data_directories),
        base_(config::resolve(scenario, {}, library())) {}

  void check(const Point& point) const override { choices_of(case_of(point)); }

  PointResult run(const Point& point, unsigned) const override {
    return guarded([&] {
      const config::TrainingCase training = case_of(point);
      const training::Plan plan = make_plan(training, study::system_of(training.hardware),
                                            choices_of(training), [](double) {});
      if (!plan.best.empty()) return done(plan, plan.best.front());
      if (plan.given_fits) return done(plan, plan.given);
      return PointResult{
          Status::kInfeasible,
          {},
          fmt::format("needs {} of {:.1f} GB of memory", training::sum_text(plan.given.memory),
                      static_cast<double>(plan.memory.count()) / 1e9)};
    });
  }

 private:
  config::TrainingCase case_of(const Point& point) const {
    refuse_change(point, base_.written.where, "septet plan");
    return config::read_training(varied(base_, point, library()));
  }

  static std::optional<training::PlanChoices> choices_of(const config::TrainingCase& training) {
    if (!training.plan) return std::nullopt;
    return training::read_plan(*training.plan);
  }

  static PointResult done(const training::Plan& plan, const training::Candidate& best) {
    const double given = to_us(plan.given.step.time.total);
    std::vector<OutputValue> out;
    out.emplace_back(to_us(best.step.time.total));
    out.emplace_back(training::layout_text(best.spec));
    for (const double number :
         {static_cast<double>(best.spec.ranks()),
          best.step.rate.tokens_per_second / best.spec.ranks(), best.step.rate.utilization,
          best.step.time.bubble, static_cast<double>(best.memory.total().count()),
          given > 0 ? given : kUnknown, static_cast<double>(plan.simulated)}) {
      out.emplace_back(number);
    }
    return {Status::kDone, std::move(out), {}};
  }

  config::Configuration base_;
};

}  // namespace

std::unique_ptr<Experiment> plan_experiment(const ConfigValue& scenario,
                                            const Folders& data_directories) {
  return std::make_unique<PlanExperiment>(scenario, data_directories);
}

}  // namespace septet::sweep
