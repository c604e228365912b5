// A study: a program on a system, simulated unchanged and with changes.
//
// `septet run` makes one of a scenario (scenario_study.hpp), `septet replay` of recordings
// (recording_study.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "models/workload/training/training_rate.hpp"
#include "scenarios/analysis/run_summary.hpp"
#include "scenarios/whatif/what_if.hpp"

namespace septet::study {

// What is simulated. Notes in `state` go before those of the changes.
struct StudyCase {
  std::string name;
  whatif::WhatIfState state;
  std::optional<training::TrainingSpec> training{};  // of which the program is a step
};

// How a case ran.
struct Outcome {
  std::string name;
  analysis::RunSummary summary;
  double speedup = 1;  // of the baseline's time
  std::optional<training::TrainingRate>
      training{};                        // of a whole step: none of one that was cut short
  std::optional<Duration> unprofiled{};  // how long it takes without a recording's profiler
  double unprofiled_speedup = 1;         // of the baseline's time without it
  std::vector<std::string> notes{};      // what was changed, and what else is to be known
  std::string failure{};                 // why it could not run; nothing else is known then
};

struct StudyResult {
  Outcome baseline;
  double wall_s = 0;  // of the baseline
  std::vector<Outcome> what_ifs;
};

// Hooks of a run.
struct RunHooks {
  // The receiver of the rows; null for none.
  std::function<trace::RowSink*(const system::System&)> sink_of{};
  // Looks at the run while its rows are in memory.
  std::function<void(const system::ProgramRun&, const analysis::RunSummary&)> observer{};
  // Takes the run over at its end, with its rows.
  std::function<void(system::ProgramRun&&)> keeper{};
};

class Study {
 public:
  explicit Study(StudyCase base) : base_(std::move(base)) {}

  // Throws where the change, or another case with a change, is wrong, without running it.
  void check_what_if(const std::string& change, const Location& asked_by) const;
  static void check_variation(StudyCase variation, const std::string& change,
                              const Location& asked_by);

  // Comes first of the runs. Links are traced where there are any. Returns the rows of the run.
  analysis::RunRows run_baseline(const RunHooks& hooks = {});

  // The base with a change (scenarios/WHATIFS.md). `asked_by` is blamed for mistakes in it.
  void run_what_if(const std::string& change, const Location& asked_by, const RunHooks& hooks = {});

  // Another case, with a change if that isn't empty.
  void run_variation(StudyCase variation, const std::string& change, const Location& asked_by,
                     const RunHooks& hooks = {});

  // A what-if that could not run, in its place among the others.
  void note_failure(const std::string& name, const std::string& reason);

  const StudyCase& base() const { return base_; }
  const StudyResult& result() const { return result_; }

 private:
  StudyCase base_;
  StudyResult result_;
};

}  // namespace septet::study
