#include "scenarios/whatif/what_if.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/config/near_miss.hpp"
#include "scenarios/system/run_program.hpp"
#include "scenarios/whatif/capture.hpp"

namespace septet {
namespace {

// CUDA graphs in place of single launches, at the costs of the profile.
void cuda_graphs(const std::string& value, WhatIfState& state) {
  if (!value.empty() && value != "step" && value != "whole") {
    throw ConfigError::value({}, "what-if cuda-graphs", "'" + value + "'", "step or whole");
  }
  const ProgramRun run = run_program(state.program, state.system, state.options);
  CaptureOptions options;
  options.whole = value == "whole";
  options.steps = state.steps;
  Capture captured = capture_graphs(state.program, collect_rows(run.rows, run.trace), options);
  state.program = std::move(captured.program);
  state.steps.clear();
  state.notes.push_back(
      fmt::format("{} kernels and copies in {} graph launches", captured.nodes, captured.graphs));
}

std::pair<std::string, std::string> split_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, ""};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string> split_changes(const std::string& text) {
  static constexpr std::string_view kJoint = " + ";
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t end = text.find(kJoint); end != std::string::npos;
       end = text.find(kJoint, begin)) {
    out.push_back(text.substr(begin, end - begin));
    begin = end + kJoint.size();
  }
  out.push_back(text.substr(begin));
  return out;
}

[[noreturn]] void unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const WhatIfKind& kind : what_if_kinds()) names.push_back(kind.name);
  throw ConfigError({}, fmt::format("unknown what-if '{}'{}", name, did_you_mean(name, names)));
}

}  // namespace

const std::vector<WhatIfKind>& what_if_kinds() {
  static const std::vector<WhatIfKind> kKinds = {
      {"cuda-graphs", "[=step|whole]",
       "capture what lies between synchronisations (and steps) into CUDA graphs", cuda_graphs},
  };
  return kKinds;
}

void apply_what_if(const std::string& text, WhatIfState& state) {
  for (const std::string& change : split_changes(text)) {
    const auto [name, value] = split_value(change);
    const auto& kinds = what_if_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const WhatIfKind& k) { return k.name == name; });
    if (kind == kinds.end()) unknown(name);
    kind->apply(value, state);
  }
}

}  // namespace septet
