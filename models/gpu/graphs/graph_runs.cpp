#include "models/gpu/graphs/graph_runs.hpp"

#include <algorithm>

namespace septet::gpu {
namespace {

constexpr std::uint32_t kGateOpen = 0xFFFFFFFEU;  // may start early, has not done so yet

}  // namespace

std::uint32_t GraphRuns::start(std::uint32_t index, std::uint32_t command, Instant now) {
  const graph::CompiledGraph& graph = graphs_[index];
  const std::uint32_t id = runs_.take();
  Run& run = runs_[id];
  run.graph = index;
  run.command = command;
  run.remaining = static_cast<std::uint32_t>(graph.nodes().size());
  run.dependencies.assign(graph.dependencies().begin(), graph.dependencies().end());
  run.gate.assign(graph.nodes().size(), kNone);
  steps_.clear();
  for (const std::uint32_t root : graph.roots()) {
    ready(root, Duration(0), spec_.graph_node_interval, now);
  }
  return id;
}

// A node's dependencies are satisfied: it starts `gap` later, and the next node of the launcher at
// least `interval` after it.
void GraphRuns::ready(std::uint32_t node, Duration gap, Duration interval, Instant now) {
  const Instant start = std::max(now + gap, launcher_free_);
  launcher_free_ = start + interval;
  steps_.push_back({node, kNone, start});
}

bool GraphRuns::gate(std::uint32_t run, std::uint32_t node, std::uint32_t work) {
  std::uint32_t& gate = runs_[run].gate[node];
  if (gate != kGateOpen) return false;
  gate = work;
  return true;
}

bool GraphRuns::forks_widely(std::uint32_t run, std::uint32_t node) const {
  return graph_of(run).successors(node).size() > spec_.graph_fork_max;
}

// From the end of a node to the start of one that depends on it.
Duration GraphRuns::gap(std::uint32_t run, std::uint32_t from, bool triggered) const {
  const Duration gap = triggered ? spec_.triggered_node_gap : spec_.graph_node_gap;
  return forks_widely(run, from) ? gap + spec_.graph_fan_gap : gap;
}

Duration GraphRuns::interval(std::uint32_t run, std::uint32_t from) const {
  const std::size_t dependents = graph_of(run).successors(from).size();
  const bool narrow_fork = dependents > 1 && !forks_widely(run, from);
  return narrow_fork ? spec_.graph_fork_interval : spec_.graph_node_interval;
}

// A dependent with further dependencies waits for all of them as usual.
void GraphRuns::trigger(std::uint32_t id, std::uint32_t node, Instant now) {
  Run& run = runs_[id];
  const graph::CompiledGraph& graph = graph_of(id);
  steps_.clear();
  for (const std::uint32_t next : graph.successors(node)) {
    const auto* launch = program::get_if<program::LaunchKernel>(graph.nodes()[next]);
    if (launch == nullptr || !launch->programmatic || graph.dependencies()[next] != 1) continue;
    run.gate[next] = kGateOpen;
    --run.dependencies[next];
    ready(next, spec_.node_trigger_latency, interval(id, node), now);
  }
}

bool GraphRuns::end(std::uint32_t id, std::uint32_t node, bool triggered, Instant now) {
  Run& run = runs_[id];
  steps_.clear();
  for (const std::uint32_t next : graph_of(id).successors(node)) {
    std::uint32_t& gate = run.gate[next];
    if (gate == kGateOpen) {
      gate = kNone;  // its work has not begun yet and no longer needs a gate
    } else if (gate != kNone) {
      steps_.push_back({next, gate, now + spec_.node_release_latency});
    } else if (--run.dependencies[next] == 0) {
      ready(next, gap(id, node, triggered), interval(id, node), now);
    }
  }
  if (--run.remaining > 0) return false;
  runs_.give_back(id);
  return true;
}

}  // namespace septet::gpu
