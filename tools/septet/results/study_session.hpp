// One call of `septet run` or `septet replay`: the baseline, its what-ifs, and the result folder.
//
// Errors are found before the first run as far as possible: the folder is claimed and every what-if
// is tried on the program. Later failures affect nothing else.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "scenarios/study/scenario_study.hpp"
#include "scenarios/study/study.hpp"
#include "tools/septet/export/timeline_choice.hpp"
#include "tools/septet/options.hpp"
#include "tools/septet/progress.hpp"
#include "tools/septet/results/result_end.hpp"
#include "tools/septet/study/provenance.hpp"

namespace septet::command {

// Options common to the two commands.
struct StudyOptions {
  std::vector<std::string> what_ifs;
  TimelineChoice timeline;
  std::string keep_going = "yes";
  bool keep_what_ifs = false;
  bool unlimited = false;
};

void add_study_options(Options& options, StudyOptions& target);

// The common end of the two commands.
inline const std::vector<ExitCode> kStudyExitCodes = {kExitOk,    kExitFailure, kExitUsage,
                                                      kExitInput, kExitPartial, kExitInterrupted};

// The parts of a result besides the runs.
struct StudyRequest {
  CommonOptions common;
  StudyOptions options;
  RunOrigin origin;
  std::vector<std::string> command_line;
  std::string title;          // of the chart
  std::string as_it_is;       // the name of the baseline there
  std::string scenario_toml;  // the resolved configuration, if there is one
};

class StudySession {
 public:
  // Claims the result folder, if one is wanted.
  StudySession(study::StudyCase base, StudyRequest request);

  // To be called in the order of the runs. Throws if the what-if is invalid.
  void plan(study::Variation variation);
  void plan(const std::string& change, const Location& asked_by);

  analysis::RunRows run_baseline();
  void run_what_ifs();

  const study::StudyResult& result() const { return study_.result(); }
  std::string chart() const;

  // Publishes the result folder and prints. `text`: the report at so many columns. Returns the exit
  // code.
  ExitCode finish(const ReportText& text, nlohmann::ordered_json json);

 private:
  struct Planned {
    std::optional<study::StudyCase> of;  // empty: the base
    std::string name;
    std::string change;
    Location where;
  };

  void run(const Planned& planned, std::size_t number);
  study::RunHooks hooks(const study::StudyCase& of, const std::string& label,
                        const std::filesystem::path& folder, const std::string& what_if);

  StudyRequest request_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<ResultFolder> folder_;
  study::Study study_;
  std::vector<Planned> planned_;
  std::optional<RunFiles> files_;  // of the current run
};

}  // namespace septet::command
