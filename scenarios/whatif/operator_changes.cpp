// What-ifs about operators and annotations of a recording, and about the CPU's work in them.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "scenarios/whatif/changes.hpp"
#include "scenarios/whatif/name_pattern.hpp"
#include "scenarios/whatif/scopes.hpp"

namespace septet::whatif::changes {
namespace {

// "REGEX:HOW", where REGEX may contain colons.
struct Asked {
  std::string regex;
  std::string how;
};

Asked split(const std::string& name, const std::string& value, const std::string& wanted) {
  const std::size_t colon = value.rfind(':');
  if (colon == std::string::npos || colon == 0) wrong_value(name, value, wanted);
  return {value.substr(0, colon), value.substr(colon + 1)};
}

[[noreturn]] void no_scope(const std::string& name, const std::string& regex,
                           const program::Program& program) {
  std::map<std::string, std::uint64_t> counts;
  for (const program::HostThread& thread : program.threads) {
    for (const HostScope& scope : scopes_of(thread)) ++counts[program.strings[scope.string]];
  }
  std::multimap<std::uint64_t, std::string, std::greater<>> most;
  for (const auto& [text, count] : counts) most.emplace(count, "'" + text + "'");
  std::vector<std::string> names;
  for (const auto& [count, text] : most) {
    if (names.size() < 5) names.push_back(text);
  }
  throw ConfigError(
      {}, fmt::format("what-if {}: '{}' matches no operator or annotation; {}", name, regex,
                      names.empty() ? "the recording has none"
                                    : fmt::format("there are {}", fmt::join(names, ", "))));
}

// The matching scopes of each thread, outermost ones.
class Chosen {
 public:
  Chosen(const std::string& name, const std::string& regex, const program::Program& program)
      : pattern_(name, regex, program) {
    std::size_t found = 0;
    for (const program::HostThread& thread : program.threads) {
      of_thread.push_back(
          outermost(scopes_of(thread), [&](std::uint32_t s) { return pattern_.text(s); }));
      found += of_thread.back().size();
    }
    if (found == 0) no_scope(name, regex, program);
  }

  std::vector<std::vector<HostScope>> of_thread;

 private:
  NamePattern pattern_;
};

// Keeps of each thread's occurrences the last one of every `of`; 0: none.
std::string remove_occurrences(const Chosen& chosen, std::uint64_t of, program::Program& program) {
  std::uint64_t gone = 0;
  std::uint64_t commands = 0;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    program::HostThread& thread = program.threads[t];
    std::vector<bool> removed(thread.calls.size(), false);
    std::uint64_t number = 0;
    for (const HostScope& scope : chosen.of_thread[t]) {
      if (++number == of) {
        number = 0;
        continue;
      }
      remove_scope(thread, scope, removed);
      ++gone;
    }
    for (std::size_t c = 0; c < removed.size(); ++c) {
      commands += removed[c] && is_launch(thread.calls[c].kind()) ? 1 : 0;
    }
    drop_calls(thread, removed);
  }
  return fmt::format("{} operators removed, with {} kernels and copies that they launched", gone,
                     commands);
}

// The CPU time that a call takes by itself where it submits nothing; null: it takes none.
Duration* own_time(program::Call& call) {
  if (auto* work = program::get_if<program::HostWork>(call)) return &work->duration;
  return program::is<program::OtherApiCall>(call) && call.cost > Duration(0) ? &call.cost : nullptr;
}

// Moves the own time of matching scopes to a thread of its own, which works ahead by one item.
class Mover {
 public:
  explicit Mover(program::Program& program) : program_(program) {}

  void move(std::size_t index, const std::vector<HostScope>& scopes) {
    if (scopes.empty()) return;
    program::HostThread helper;
    helper.name = program_.threads[index].name + ", moved work";
    helper.process = program_.threads[index].process;
    const std::uint32_t signal = program_.signals++;
    program::HostThread& thread = program_.threads[index];
    std::vector<program::Call> calls;
    std::size_t scope = 0;
    std::uint64_t items = 0;
    for (std::size_t c = 0; c < thread.calls.size(); ++c) {
      while (scope < scopes.size() && scopes[scope].end < c) ++scope;
      const bool first = scope < scopes.size() && scopes[scope].begin == c;
      const bool inside = scope < scopes.size() && scopes[scope].begin <= c;
      program::Call call = thread.calls[c];
      // The first item was made before the recording begins.
      if (first && items++ > 0) {
        calls.push_back({.what = program::Await{signal, items - 1}, .cost = Duration(0)});
      }
      Duration* time = inside ? own_time(call) : nullptr;
      if (time != nullptr) {
        moved += *time;
        helper.calls.push_back({.what = program::HostWork{*time}, .cost = Duration(0)});
        *time = Duration(0);
      }
      calls.push_back(call);
      if (inside && scopes[scope].end == c) {
        helper.calls.push_back({.what = program::Post{signal}, .cost = Duration(0)});
      }
    }
    thread.calls = std::move(calls);
    program_.threads.push_back(std::move(helper));
  }

  Duration moved{};

 private:
  program::Program& program_;
};

}  // namespace

void cpu_work(const std::string& value, WhatIfState& state) {
  static constexpr const char* kWanted = "REGEX:scale=X, REGEX:remove or REGEX:move-to-thread";
  const Asked asked = split("cpu", value, kWanted);
  program::Program& program = state.program;
  const bool move = asked.how == "move-to-thread";
  const bool scales = asked.how.starts_with("scale=");
  if (!move && !scales && asked.how != "remove") wrong_value("cpu", value, kWanted);
  const Chosen chosen("cpu", asked.regex, program);
  if (move) {
    Mover mover(program);
    const std::size_t threads = program.threads.size();
    for (std::size_t t = 0; t < threads; ++t) mover.move(t, chosen.of_thread[t]);
    state.notes.push_back(fmt::format("{:.1f} us of CPU work run on another thread, one item ahead",
                                      to_us(mover.moved)));
    return;
  }
  const double factor = scales ? read_factor("cpu", asked.how.substr(6)) : 0.0;
  Duration before{};
  Duration after{};
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (const HostScope& scope : chosen.of_thread[t]) {
      for (std::size_t c = scope.begin; c <= scope.end; ++c) {
        Duration* time = own_time(program.threads[t].calls[c]);
        if (time == nullptr) continue;
        before += *time;
        *time = scales ? scale(*time, factor) : Duration(0);
        after += *time;
      }
    }
  }
  state.notes.push_back(fmt::format("CPU work in matching operators: from {:.1f} us to {:.1f} us",
                                    to_us(before), to_us(after)));
}

void operators(const std::string& value, WhatIfState& state) {
  static constexpr const char* kWanted = "REGEX:remove or REGEX:every=N";
  const Asked asked = split("op", value, kWanted);
  std::uint64_t every = 0;
  if (asked.how.starts_with("every=")) {
    const double number = read_factor("op", asked.how.substr(6));
    every = static_cast<std::uint64_t>(number);
    if (static_cast<double>(every) != number || every < 1) wrong_value("op", value, kWanted);
  } else if (asked.how != "remove") {
    wrong_value("op", value, kWanted);
  }
  const Chosen chosen("op", asked.regex, state.program);
  state.notes.push_back(remove_occurrences(chosen, every, state.program));
}

void remove_synchronizations(const std::string& value, WhatIfState& state) {
  program::Program& program = state.program;
  const NamePattern pattern("remove-sync", value.empty() ? "." : value, program);
  std::uint64_t gone = 0;
  for (program::HostThread& thread : program.threads) {
    std::vector<bool> removed(thread.calls.size(), false);
    std::vector<bool> within;  // by open scope: whether it, or one around it, matches
    for (std::size_t c = 0; c < thread.calls.size(); ++c) {
      const program::Call& call = thread.calls[c];
      if (const auto* scope = program::get_if<program::Scope>(call)) {
        const bool around = !within.empty() && within.back();
        if (scope->string != kNone) {
          within.push_back(around || pattern.text(scope->string));
        } else if (!within.empty()) {
          within.pop_back();
        }
      }
      const bool waits = program::is<program::SynchronizeEvent>(call) ||
                         program::is<program::SynchronizeStream>(call) ||
                         program::is<program::SynchronizeDevice>(call);
      const bool named =
          value.empty() || pattern.text(call.name) || (!within.empty() && within.back());
      removed[c] = waits && named;
      gone += removed[c] ? 1 : 0;
    }
    drop_calls(thread, removed);
  }
  if (gone == 0) {
    throw ConfigError({},
                      fmt::format("what-if remove-sync: no synchronisation {}",
                                  value.empty() ? "is in the program"
                                                : "is called by that name or in that operator"));
  }
  state.notes.push_back(fmt::format("{} synchronisations removed", gone));
}

void pauses(const std::string& value, WhatIfState& state) {
  Duration least{};
  try {
    least = parse_duration(value);
  } catch (const UnitError& error) {
    wrong_value("pauses", value, error.wanted_with_suggestion());
  }
  if (least <= Duration(0)) wrong_value("pauses", value, "a time above zero");
  std::uint64_t count = 0;
  Duration gone{};
  for (program::HostThread& thread : state.program.threads) {
    for (program::Call& call : thread.calls) {
      auto* work = program::get_if<program::HostWork>(call);
      if (work == nullptr || work->duration < least) continue;
      ++count;
      gone += work->duration;
      work->duration = Duration(0);
    }
  }
  state.notes.push_back(
      fmt::format("{} stretches of CPU work removed: {:.1f} us", count, to_us(gone)));
}

// Costs are paid back where they arose: from the work and the calls that follow.
void unprofiled(const std::string& /*value*/, WhatIfState& state) {
  if (!state.profiler.any()) {
    throw ConfigError({},
                      "what-if unprofiled: the costs of this recording's profiler are not known");
  }
  Duration saved{};
  for (program::HostThread& thread : state.program.threads) {
    Duration owed{};
    for (program::Call& call : thread.calls) {
      const auto* scope = program::get_if<program::Scope>(call);
      if (scope != nullptr && scope->string != kNone) owed += state.profiler.op;
      const bool recorded = shown_in_traces(call.kind()) && call.cost > Duration(0);
      if (recorded) owed += state.profiler.call;
      if (recorded && is_launch(call.kind())) owed += state.profiler.per_launch;
      // At least half of a call is the call's own.
      const auto* work = program::get_if<program::HostWork>(call);
      const Duration most = work != nullptr ? work->duration
                            : recorded      ? call.cost / 2
                                            : Duration(0);
      const Duration paid = std::min(owed, most);
      if (paid <= Duration(0)) continue;
      if (auto* host = program::get_if<program::HostWork>(call)) host->duration -= paid;
      if (work == nullptr) {
        call.cost -= paid;
        if (call.submit != program::kModelled) call.submit = std::min(call.submit, call.cost);
      }
      owed -= paid;
      saved += paid;
    }
  }
  state.profiler = {};
  state.notes.push_back(fmt::format(
      "{:.1f} us of CPU time, summed over the threads, are the profiler's", to_us(saved)));
}

}  // namespace septet::whatif::changes
