#include "scenarios/study/study.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace septet::study {
namespace {

// What `run` returns. A mistake that names no place of its own, such as a value of an option, and a
// number that gets too large are located at `place`; a mistake in a file that was read meanwhile
// stays there.
template <class Run>
auto located(const Location& place, Run run) {
  try {
    return run();
  } catch (const ConfigError& error) {
    if (!error.where().file.empty()) throw;
    throw ConfigError(place, error.what());
  } catch (const RangeError& error) {
    throw ConfigError(place, error.what());
  }
}

// The same; a refusal of the model names what was run, too.
template <class Run>
auto under_name(const std::string& name, Run run) {
  try {
    return located(Location{name}, run);
  } catch (const ModelError& error) {
    throw ModelError(name + ": " + error.what());
  }
}

Outcome outcome_of(const StudyCase& of, analysis::RunSummary summary) {
  Outcome out;
  out.name = of.name;
  if (of.training && !summary.unfinished.any()) {
    const system::SystemSpec& system = of.state.system;
    out.training =
        training_rate(gpus_by_device(system.gpu, system.others), *of.training, summary.span);
  }
  out.summary = std::move(summary);
  return out;
}

}  // namespace

analysis::RunRows Study::run_baseline(const RowSinkOf& sink_of, const RunObserver& observer) {
  const auto begin = std::chrono::steady_clock::now();
  system::SystemSpec spec = base_.state.system;
  spec.trace_links = true;
  analysis::RunRows rows;
  result_.baseline = under_name(base_.name, [&] {
    system::System system(base_.state.program, spec);
    const system::ProgramRun run =
        run_program(system, base_.state.options, sink_of ? sink_of(system) : nullptr);
    rows = analysis::collect_rows(run);
    Outcome out = outcome_of(base_, summarize(run, rows));
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    result_.wall_s = wall.count();
    if (observer) observer(run);
    return out;
  });
  return rows;
}

void Study::run_what_if(const std::string& change, const Location& asked_by) {
  StudyCase variation = base_;
  variation.name = change;
  run_variation(std::move(variation), change, asked_by);
}

void Study::run_variation(StudyCase variation, const std::string& change,
                          const Location& asked_by) {
  whatif::WhatIfState& state = variation.state;
  if (!change.empty()) located(asked_by, [&] { apply_what_if(change, state); });
  Outcome out = under_name("what if " + variation.name, [&] {
    return outcome_of(variation,
                      analysis::summarize(run_program(state.program, state.system, state.options)));
  });
  out.speedup = ratio(result_.baseline.summary.span, out.summary.span);
  out.notes = std::move(state.notes);
  result_.what_ifs.push_back(std::move(out));
}

}  // namespace septet::study
