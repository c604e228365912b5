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

// How long the case takes without the profiler that recorded it; nothing where its costs are not
// known.
std::optional<Duration> unprofiled_span(const StudyCase& of) {
  if (!of.state.profiler.any()) return std::nullopt;
  whatif::WhatIfState state = of.state;
  apply_what_if("unprofiled", state);
  return analysis::collect_rows(run_program(state.program, state.system, state.options)).span();
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

void Study::check_what_if(const std::string& change, const Location& asked_by) const {
  check_variation(base_, change, asked_by);
}

void Study::check_variation(StudyCase variation, const std::string& change,
                            const Location& asked_by) {
  if (!change.empty()) located(asked_by, [&] { apply_what_if(change, variation.state); });
}

analysis::RunRows Study::run_baseline(const RunHooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  system::SystemSpec spec = base_.state.system;
  spec.trace_links = true;
  analysis::RunRows rows;
  result_.baseline = under_name(base_.name, [&] {
    system::System system(base_.state.program, spec);
    system::ProgramRun run =
        run_program(system, base_.state.options, hooks.sink_of ? hooks.sink_of(system) : nullptr);
    rows = analysis::collect_rows(run);
    Outcome out = outcome_of(base_, summarize(run, rows));
    out.unprofiled = unprofiled_span(base_);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    result_.wall_s = wall.count();
    if (hooks.observer) hooks.observer(run, out.summary);
    if (hooks.keeper) hooks.keeper(std::move(run));
    return out;
  });
  return rows;
}

void Study::run_what_if(const std::string& change, const Location& asked_by,
                        const RunHooks& hooks) {
  StudyCase variation = base_;
  variation.name = change;
  run_variation(std::move(variation), change, asked_by, hooks);
}

void Study::run_variation(StudyCase variation, const std::string& change, const Location& asked_by,
                          const RunHooks& hooks) {
  whatif::WhatIfState& state = variation.state;
  if (!change.empty()) located(asked_by, [&] { apply_what_if(change, state); });
  if (hooks.sink_of) state.system.trace_links = true;
  Outcome out = under_name("what if " + variation.name, [&] {
    system::System system(state.program, state.system);
    system::ProgramRun run =
        run_program(system, state.options, hooks.sink_of ? hooks.sink_of(system) : nullptr);
    Outcome ran = outcome_of(variation, analysis::summarize(run));
    if (hooks.observer) hooks.observer(run, ran.summary);
    if (hooks.keeper) hooks.keeper(std::move(run));
    return ran;
  });
  out.speedup = ratio(result_.baseline.summary.span, out.summary.span);
  if (const std::optional<Duration> before = result_.baseline.unprofiled) {
    out.unprofiled = unprofiled_span(variation).value_or(out.summary.span);
    out.unprofiled_speedup = ratio(*before, *out.unprofiled);
  }
  out.notes = std::move(state.notes);
  result_.what_ifs.push_back(std::move(out));
}

void Study::note_failure(const std::string& name, const std::string& reason) {
  Outcome out;
  out.name = name;
  out.failure = reason;
  result_.what_ifs.push_back(std::move(out));
}

}  // namespace septet::study
