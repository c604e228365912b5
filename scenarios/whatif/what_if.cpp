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

// gpu_change.cpp
void other_gpu(const std::string& value, WhatIfState& state);

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

// A value where none belongs, or none where one does.
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
       "capture what lies between synchronisations (and steps) into CUDA graphs",
       changes::cuda_graphs},
      {"connections", "=N", "CUDA_DEVICE_MAX_CONNECTIONS is N (1 to 32)", changes::connections},
      {"one-stream", "", "all work of a device runs on one stream", changes::one_stream},
      {"stream-per-thread", "", "threads that share a stream get one each",
       changes::stream_per_thread},
      {"streams", "=FROM:TO,...",
       "work moves from stream to stream (\"7:20\"), or from /REGEX/ to one, or to a 'new' one",
       changes::streams},
      {"priority", "=REGEX|STREAM[:high|low]",
       "the stream, or those that run matching kernels, get another priority (default: high)",
       changes::priority},
      {"host-speed", "=X", "the CPU does everything X times as fast", changes::host_speed},
      {"launch-cost", "=TIME", "each kernel launch call takes TIME of the CPU (\"2 us\")",
       changes::launch_cost},
      {"ideal-launch", "[=all|calls]",
       "the bound: submission and CPU cost nothing, no latencies; calls: the CPU's own work stays",
       changes::ideal_launch},
      {"persistent", "", "kernels are items that resident kernels take from a queue in memory",
       changes::persistent},
      {"kernel", "=REGEX:scale=X", "matching kernels take X times as long", changes::scale_kernels},
      {"gpu", "=NAME", "another GPU: kernels are scaled by what limits them", changes::other_gpu},
      {"remove", "=REGEX", "matching kernels and copies vanish with their launches",
       changes::remove_work},
      {"fuse", "=REGEX", "matching kernels that follow one another become one kernel",
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
