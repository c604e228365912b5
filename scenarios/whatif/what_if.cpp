#include "scenarios/whatif/what_if.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "scenarios/config/toml/near_miss.hpp"

namespace septet::whatif {

// One function for each kind, in the files named *_changes.cpp and those of longer ones.
namespace changes {

// graph_changes.cpp
void cuda_graphs(const std::string& value, WhatIfState& state);

// host_changes.cpp
void connections(const std::string& value, WhatIfState& state);
void host_speed(const std::string& value, WhatIfState& state);
void launch_cost(const std::string& value, WhatIfState& state);
void ideal_launch(const std::string& value, WhatIfState& state);

// kernel_changes.cpp
void scale_kernels(const std::string& value, WhatIfState& state);
void remove_work(const std::string& value, WhatIfState& state);

// operator_changes.cpp
void cpu_work(const std::string& value, WhatIfState& state);
void operators(const std::string& value, WhatIfState& state);
void remove_synchronizations(const std::string& value, WhatIfState& state);
void pauses(const std::string& value, WhatIfState& state);
void unprofiled(const std::string& value, WhatIfState& state);

// gpu_change.cpp
void other_gpu(const std::string& value, WhatIfState& state);

// copy_changes.cpp
void copies(const std::string& value, WhatIfState& state);

// branch_changes.cpp
void branches(const std::string& value, WhatIfState& state);

// fuse_operators.cpp
void fuse_operators(const std::string& value, WhatIfState& state);

// fuse.cpp
void fuse(const std::string& value, WhatIfState& state);

// persistent.cpp
void persistent(const std::string& value, WhatIfState& state);

// stream_changes.cpp
void one_stream(const std::string& value, WhatIfState& state);
void stream_per_thread(const std::string& value, WhatIfState& state);
void streams(const std::string& value, WhatIfState& state);
void priority(const std::string& value, WhatIfState& state);

}  // namespace changes

namespace {

struct NamedChange {
  std::string name;
  std::optional<std::string> value;
};

NamedChange split_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, std::nullopt};
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
  const std::string near = config::did_you_mean(name, names);
  const std::string all = near.empty() ? "; there are: " + config::listed(names) : near;
  throw ConfigError({}, fmt::format("unknown what-if '{}'{}", name, all));
}

// A value where none is allowed, or none where one is required.
void check_value(const WhatIfKind& kind, const NamedChange& change) {
  const std::string key = "what-if " + kind.name;
  const bool wanted = kind.value.starts_with("=");
  if (change.value && kind.value.empty()) {
    throw ConfigError::value({}, key, "'" + *change.value + "'", "no value");
  }
  if (wanted && (!change.value || change.value->empty())) {
    throw ConfigError::value({}, key, "no value", kind.name + kind.value);
  }
}

}  // namespace

const std::vector<WhatIfKind>& what_if_kinds() {
  static const std::vector<WhatIfKind> kKinds = {
      {"cuda-graphs", "[=step|whole]",
       "capture the work between synchronisations (and steps) into CUDA graphs",
       changes::cuda_graphs},
      {"connections", "=N", "set CUDA_DEVICE_MAX_CONNECTIONS to N (1 to 32)", changes::connections},
      {"one-stream", "", "run all work of a device on one stream", changes::one_stream},
      {"stream-per-thread", "", "give threads that share a stream one each",
       changes::stream_per_thread},
      {"streams", "=FROM:TO,...",
       "move work from stream to stream (\"7:20\"), or kernels matching /REGEX/, also to a 'new' "
       "stream",
       changes::streams},
      {"priority", "=REGEX|STREAM[:high|low]",
       "set the priority of a stream, or of those that run matching kernels (default: high)",
       changes::priority},
      {"host-speed", "=X", "make the CPU X times as fast", changes::host_speed},
      {"launch-cost", "=TIME", "set the CPU time of each kernel launch call (\"2 us\")",
       changes::launch_cost},
      {"ideal-launch", "[=all|calls]",
       "the bound: submission and CPU cost nothing, no latencies; calls: keep the CPU's own work",
       changes::ideal_launch},
      {"persistent", "",
       "turn kernels into items that a persistent kernel takes from a queue in host memory",
       changes::persistent},
      {"kernel", "=REGEX:scale=X", "scale the time of matching kernels by X",
       changes::scale_kernels},
      {"gpu", "=NAME", "run on another GPU: kernels are scaled according to what limits them",
       changes::other_gpu},
      {"remove", "=REGEX", "remove matching kernels and copies together with their launches",
       changes::remove_work},
      {"cpu", "=REGEX:scale=X|remove|move-to-thread",
       "change the CPU's own work in matching operators and annotations", changes::cpu_work},
      {"op", "=REGEX:remove|every=N",
       "remove matching operators with all that they launch; every=N keeps one of N",
       changes::operators},
      {"remove-sync", "[=REGEX]",
       "remove synchronisations (of that name, or in matching operators)",
       changes::remove_synchronizations},
      {"pauses", "=TIME",
       "remove CPU work between calls and operators that takes TIME or longer (\"5 ms\")",
       changes::pauses},
      {"fuse-ops", "=REGEX[:scale=X]",
       "merge operators in a row, or those in an annotation, into one with one kernel",
       changes::fuse_operators},
      {"unprofiled", "", "take out what the profiler costs the CPU", changes::unprofiled},
      {"copies", "=REGEX:pinned|early",
       "matching copies are pinned and don't block; early: one copy ahead, on another stream",
       changes::copies},
      {"branches", "=N", "run each step's launches in N equal parts, each on a stream of its own",
       changes::branches},
      {"fuse", "=REGEX[:scale=X]",
       "merge consecutive matching kernels into one, which takes X times their sum (default 1)",
       changes::fuse},
  };
  return kKinds;
}

void apply_what_if(const std::string& text, WhatIfState& state) {
  state.program = spelled_out(std::move(state.program));
  for (const std::string& part : split_changes(text)) {
    const NamedChange change = split_value(part);
    const auto& kinds = what_if_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const WhatIfKind& k) { return k.name == change.name; });
    if (kind == kinds.end()) unknown(change.name);
    check_value(*kind, change);
    kind->apply(change.value.value_or(""), state);
  }
}

}  // namespace septet::whatif
