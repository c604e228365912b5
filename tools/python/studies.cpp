#include "tools/python/studies.hpp"

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include "scenarios/replay/start_error.hpp"
#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/study/recording_study.hpp"
#include "scenarios/study/scenario_study.hpp"
#include "tools/python/interruptible.hpp"
#include "tools/python/table.hpp"
#include "tools/python/values.hpp"
#include "tools/septet/claims/claims_output.hpp"
#include "tools/septet/claims/run_claims.hpp"
#include "tools/septet/results/run_progress.hpp"
#include "tools/septet/serving/run_serving_file.hpp"
#include "tools/septet/study/replay_report.hpp"
#include "tools/septet/study/study_report.hpp"
#include "tools/septet/study/what_if_chart.hpp"

namespace septet::python {
namespace {

namespace py = pybind11;
using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 100;
constexpr std::size_t kAll = 1'000'000;  // kernels in a report

struct StudyOptions {
  std::vector<std::string> what_ifs;
  unsigned threads = 1;
  bool keep_what_ifs = false;  // their rows too
  bool keep_going = false;     // after a what-if that fails
  bool unlimited = false;      // more memory than the machine has
};

// A report, and the rows of the baseline and of the what-ifs that were kept.
struct Done {
  std::string kind;
  Json report;
  std::string text;
  std::vector<SharedRun> runs{};
};

// A study whose runs are kept and can be stopped.
class KeptStudy {
 public:
  KeptStudy(study::StudyCase base, const StudyOptions& options, const Stop& stop)
      : study_(std::move(base)), options_(options), stop_(stop), sink_(stop) {}

  analysis::RunRows run_baseline() {
    const study::StudyCase& base = study_.base();
    check(base);
    return study_.run_baseline(hooks(true));
  }

  void check_what_if(const std::string& change, const std::string& asked_by) const {
    study_.check_what_if(change, {asked_by});
  }
  void run_what_if(const std::string& change, const std::string& asked_by) {
    attempt(change, [&] {
      check(study_.base());
      study_.run_what_if(change, {asked_by}, hooks(options_.keep_what_ifs));
    });
  }
  void run_variation(study::Variation one) {
    attempt(one.of.name, [&] {
      check(one.of);
      study_.run_variation(std::move(one.of), one.change, one.where, hooks(options_.keep_what_ifs));
    });
  }

  const study::StudyResult& result() const { return study_.result(); }
  std::vector<SharedRun> take_runs() { return std::move(runs_); }

 private:
  void check(const study::StudyCase& of) const {
    const system::WorkEstimate estimate = estimate_work(of.state.program, of.state.system);
    command::check_fits(of.name, estimate, options_.unlimited);
  }

  study::RunHooks hooks(bool kept) {
    study::RunHooks out;
    out.sink_of = [this](const system::System&) { return &sink_; };
    out.keeper = [this, kept](system::ProgramRun&& run) {
      runs_.push_back(kept ? keep(std::move(run)) : nullptr);
    };
    return out;
  }

  template <class Run>
  void attempt(const std::string& name, Run run) {
    try {
      run();
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception& error) {
      if (!options_.keep_going) throw;
      study_.note_failure(name, error.what());
      runs_.push_back(nullptr);
    }
  }

  study::Study study_;
  const StudyOptions& options_;
  const Stop& stop_;
  StopSink sink_;
  std::vector<SharedRun> runs_;
};

Done run_scenario(const command::ScenarioFile& file, const std::vector<std::string>& settings,
                  const StudyOptions& options, const Stop& stop) {
  const config::ProfileLibrary library(config::data_directories());
  study::ScenarioStudy scenario =
      study::read_scenario_study(file.path.string(), file.tree, settings, library, options.threads);
  KeptStudy study(std::move(scenario.base), options, stop);
  for (const std::string& what_if : options.what_ifs) study.check_what_if(what_if, "what_ifs");
  study.run_baseline();
  for (study::Variation& one : scenario.variations) study.run_variation(std::move(one));
  for (const std::string& what_if : options.what_ifs) study.run_what_if(what_if, "what_ifs");
  Json report = command::study_json(study.result(), kAll);
  report["warnings"] = scenario.warnings;
  return {"run", std::move(report),
          command::run_text(scenario.name, study.result(), "(unchanged)", 10, kColumns),
          study.take_runs()};
}

Done run_serving(const command::ScenarioFile& file, const std::vector<std::string>& settings,
                 const StudyOptions& options) {
  const command::ServingStudy study =
      command::study_serving(file.path.stem().string(), file.tree, settings, options.threads);
  const std::vector<command::ServingReport> reports = command::reports_of(study);
  return {"serving", command::serving_json(reports), command::serving_text(reports, kColumns)};
}

Done run_claims(const std::vector<command::ScenarioFile>& files,
                const std::vector<std::string>& settings) {
  const command::ClaimResults done =
      command::evaluate_claims(files, settings, config::data_directories());
  return {"claims", command::claims_json(done.results),
          command::claims_text(done.results, kColumns)};
}

Done run_files(const std::vector<command::ScenarioFile>& files,
               const std::vector<std::string>& settings, const StudyOptions& options,
               const Stop& stop) {
  const config::ConfigValue& first = files.front().tree;
  if (files.size() > 1 || claims::is_claim(first)) return run_claims(files, settings);
  if (serving::is_serving(first)) return run_serving(files.front(), settings, options);
  return run_scenario(files.front(), settings, options, stop);
}

Done replay_files(const study::RecordingRequest& request, const StudyOptions& options,
                  const Stop& stop) {
  study::RecordingStudy recording = read_recordings(request);
  KeptStudy study(std::move(recording.base), options, stop);
  const auto changes = changes_of(request, options.what_ifs);
  for (const study::AskedChange& one : changes) study.check_what_if(one.change, one.asked_by);
  const replay::StartError error = replay::start_error(recording.import, study.run_baseline());
  for (const study::AskedChange& one : changes) study.run_what_if(one.change, one.asked_by);
  const study::StudyResult& result = study.result();
  return {"replay", command::replay_json(recording, result, error, kAll),
          command::replay_text(recording, result, error, "(as recorded)", 10, kColumns),
          study.take_runs()};
}

// (kind, report, text, [tables of a run, or None])
py::tuple result_of(const Done& done) {
  py::list runs;
  for (const SharedRun& run : done.runs) {
    runs.append(run ? py::cast(tables_of(run)) : py::none());
  }
  return py::make_tuple(done.kind, python_of(done.report), done.text, runs);
}

StudyOptions options_of(std::vector<std::string> what_ifs, unsigned threads, bool keep_what_ifs,
                        bool keep_going, bool limits) {
  return {std::move(what_ifs), threads, keep_what_ifs, keep_going, !limits};
}

py::tuple run(const std::vector<std::string>& names, const py::object& scenario,
              const std::string& name, const py::dict& set, const StudyOptions& options) {
  const std::vector<std::string> settings = settings_of(set);
  std::vector<command::ScenarioFile> files;
  if (!scenario.is_none()) files.push_back({name, tree_of(scenario, name)});
  return result_of(without_lock([&](const Stop& stop) {
    if (files.empty()) files = command::read_scenario_files(names);
    return run_files(files, settings, options, stop);
  }));
}

py::tuple replay(const std::vector<std::string>& files, const std::string& gpu,
                 const std::string& like, const std::string& target_gpu, const py::dict& set,
                 std::uint64_t seed, const StudyOptions& options) {
  study::RecordingRequest request{files, gpu, like, target_gpu, settings_of(set), {}};
  request.options.threads = options.threads;
  request.options.seed = seed;
  return result_of(
      without_lock([&](const Stop& stop) { return replay_files(request, options, stop); }));
}

}  // namespace

void register_studies(py::module_& module) {
  py::class_<StudyOptions>(module, "StudyOptions")
      .def(py::init(&options_of), py::arg("what_ifs"), py::arg("threads"), py::arg("keep_what_ifs"),
           py::arg("keep_going"), py::arg("limits"));
  py::dict categories;
  for (const analysis::TimeCategory one : values_of<analysis::TimeCategory>()) {
    categories[py::str(std::string(text_of(one)))] =
        py::make_tuple(command::colour_of(one), command::label_of(one));
  }
  module.attr("time_categories") = categories;
  module.def("run", &run);
  module.def("replay", &replay);
}

}  // namespace septet::python
