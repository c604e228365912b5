// The outputs of `septet explain` for a kernel or an operator in a file.
#include <algorithm>

#include "scenarios/explain/kernel_file.hpp"
#include "scenarios/explain/named_metrics.hpp"
#include "scenarios/sweep/experiments.hpp"

namespace septet::sweep {
namespace {

using config::ConfigValue;

std::string column_of(explain::Stage stage) {
  std::string out(text_of(stage));
  std::ranges::replace(out, ' ', '_');
  return out + "_us";
}

std::vector<Output> outputs_of_explain() {
  std::vector<Output> out = {
      {"time_us", "us", "time of one launch, all stages", Better::kLess},
      {"limiter", Output::kText, "what limits the kernel"},
      {"bound", Output::kText, "memory, compute or latency"},
  };
  for (const auto stage : values_of<explain::Stage>()) {
    out.push_back({column_of(stage), "us", "time of stage " + std::string(text_of(stage))});
  }
  for (const explain::NamedMetric& metric : explain::named_metrics()) {
    const std::string name = metric.name;
    const char* units = name.ends_with("_us") ? "us" : name.ends_with("_pct") ? "%" : "1";
    out.push_back({name, units, "as septet explain calls it"});
  }
  return out;
}

class ExplainExperiment : public ExperimentWith<config::ProfileLibrary> {
 public:
  ExplainExperiment(const ConfigValue& file, const Folders& data_directories)
      : ExperimentWith(outputs_of_explain(), data_directories), file_(file) {}

  void check(const Point& point) const override {
    try {
      question_of(point);
    } catch (const explain::BlockDoesNotFit&) {  // a result, which other points needn't share
    }
  }

  PointResult run(const Point& point, unsigned) const override {
    return guarded([&] {
      return PointResult{Status::kDone, values_of_kernel(explain::explain(question_of(point))), {}};
    });
  }

 private:
  explain::ExplainQuestion question_of(const Point& point) const {
    refuse_change(point, file_.where, "septet explain");
    return explain::read_kernel(scenario_of(file_, point), "", {}, library());
  }

  static std::vector<OutputValue> values_of_kernel(const explain::Explanation& what) {
    std::vector<OutputValue> out;
    out.emplace_back(to_us(what.stages.total()));
    out.emplace_back(std::string(text_of(what.time.limiter)));
    out.emplace_back(std::string(text_of(what.metrics.bound)));
    for (const auto stage : values_of<explain::Stage>())
      out.emplace_back(to_us(what.stages[stage]));
    for (const explain::NamedMetric& metric : explain::named_metrics()) {
      out.emplace_back(metric.of(what.metrics));
    }
    return out;
  }

  const ConfigValue& file_;
};

}  // namespace

std::unique_ptr<Experiment> explain_experiment(const ConfigValue& file,
                                               const Folders& data_directories) {
  return std::make_unique<ExplainExperiment>(file, data_directories);
}

}  // namespace septet::sweep
