#include "tools/septet/results/study_session.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/files/file_error.hpp"
#include "core/trace/hdf5_handle.hpp"
#include "tools/septet/results/run_progress.hpp"
#include "tools/septet/study/run_report.hpp"
#include "tools/septet/study/what_if_chart.hpp"

namespace septet::command {
void add_study_options(Options& options, StudyOptions& target) {
  options.texts("what-if", "CHANGE", target.what_ifs,
                "simulate this change too (scenarios/WHATIFS.md); may be repeated");
  options.choice("keep-going", target.keep_going, {"yes", "no"},
                 "run the remaining what-ifs after one failed (default yes)");
  options.flag("keep-what-ifs", target.keep_what_ifs,
               "also write trace and timeline of each what-if to --output-dir");
  options.flag("no-limits", target.unlimited,
               "run even if the estimated memory exceeds the machine's");
  add_timeline_options(options, target.timeline);
}

StudySession::StudySession(study::StudyCase base, StudyRequest request)
    : request_(std::move(request)),
      begin_(std::chrono::steady_clock::now()),
      study_(std::move(base)) {
  const std::string& path = request_.common.output_dir;
  if (!path.empty()) folder_.emplace(path);
}

void StudySession::plan(study::Variation variation) {
  study::Study::check_variation(variation.of, variation.change, variation.where);
  const std::string name = variation.of.name;
  planned_.push_back({std::move(variation.of), name, variation.change, variation.where});
}

void StudySession::plan(const std::string& change, const Location& asked_by) {
  study_.check_what_if(change, asked_by);
  planned_.push_back({std::nullopt, without_folders(change), change, asked_by});
}

// The hooks of a run: the files, if there is a folder, and the progress.
study::RunHooks StudySession::hooks(const study::StudyCase& of, const std::string& label,
                                    const std::filesystem::path& folder,
                                    const std::string& what_if) {
  const system::WorkEstimate estimate = estimate_work(of.state.program, of.state.system);
  check_fits(of.name, estimate, request_.options.unlimited);
  if (!request_.common.quiet) announce(of.name, estimate);
  const auto progress = std::make_shared<RunProgress>(label, estimate, request_.common.quiet);
  study::RunHooks out;
  out.sink_of = [this, folder, what_if, progress](const system::System& system) {
    if (folder.empty()) return progress->rows(nullptr);
    return progress->rows(files_.emplace(folder, system, what_if).rows());
  };
  out.observer = [this, progress](const system::ProgramRun& run,
                                  const analysis::RunSummary& summary) {
    progress->end();
    if (!files_) return;
    files_->write_timeline(run, request_.options.timeline);
    files_->finish(summary, request_.origin, request_.scenario_toml);
    files_.reset();
  };
  return out;
}

analysis::RunRows StudySession::run_baseline() {
  const study::StudyCase& base = study_.base();
  return study_.run_baseline(
      hooks(base, "simulate", folder_ ? folder_->path() : std::filesystem::path(), ""));
}

void StudySession::run(const Planned& planned, std::size_t number) {
  study::StudyCase of = planned.of ? *planned.of : study_.base();
  of.name = planned.name;
  std::filesystem::path folder;
  if (folder_ && request_.options.keep_what_ifs) folder = folder_->add_what_if(number, of.name);
  const std::string label = fmt::format("what-if {} of {}", number, planned_.size());
  const study::RunHooks own = hooks(of, label, folder, of.name);
  try {
    study_.run_variation(std::move(of), planned.change, planned.where, own);
  } catch (...) {
    files_.reset();
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
    throw;
  }
}

void StudySession::run_what_ifs() {
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    try {
      run(planned_[i], i + 1);
    } catch (const files::FileError&) {
      throw;  // the folder can't be completed
    } catch (const trace::TraceFileError&) {
      throw;
    } catch (const std::exception& error) {
      if (request_.options.keep_going == "no") throw;
      fmt::print(stderr, "septet: error: {}\n", error.what());
      study_.note_failure(planned_[i].name, error.what());
    }
  }
}

std::string StudySession::chart() const {
  return what_if_chart(result(), request_.as_it_is, request_.title);
}

ExitCode StudySession::finish(const ReportText& text, nlohmann::ordered_json json) {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
  if (folder_ && !result().what_ifs.empty()) folder_->add_file("what_ifs.svg", chart());
  end_result({request_.common,
              request_.origin,
              hex(result().baseline.summary.engine.digest),
              {request_.command_line, request_.common.threads, wall.count()}},
             folder_ ? &*folder_ : nullptr, text, std::move(json));
  const bool all = std::ranges::all_of(
      result().what_ifs, [](const study::Outcome& one) { return one.failure.empty(); });
  return all ? kExitOk : kExitPartial;
}

}  // namespace septet::command
