// CUDA graphs: nodes start when the nodes before them have ended, one after the other. Of a host
// node only its own time is modelled, not the way to the CPU thread that runs it and back.
#include <algorithm>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {
void Gpu::start_graph(std::uint32_t command, Context& context) {
  const std::uint32_t index = as<LaunchGraph>(*commands_[command].call).graph;
  const CompiledGraph& graph = graphs_[index];
  const std::uint32_t id = graph_runs_.take();
  GraphRun& run = graph_runs_[id];
  run.graph = index;
  run.command = command;
  run.remaining = static_cast<std::uint32_t>(graph.nodes().size());
  run.dependencies.assign(graph.dependencies().begin(), graph.dependencies().end());
  run.gate.assign(graph.nodes().size(), kNone);
  for (const std::uint32_t root : graph.roots()) {
    ready_node(id, root, Duration(0), spec_.front_end.graph_node_interval, context);
  }
}

// A node's dependencies are met: it starts `gap` later, and the node that the launcher takes next
// at least `interval` after it. Graphs on all streams share the launcher.
void Gpu::ready_node(std::uint32_t id, std::uint32_t node, Duration gap, Duration interval,
                     Context& context) {
  const Instant start = std::max(context.now() + gap, next_node_);
  next_node_ = start + interval;
  context.schedule(start - context.now(), gpu_events::event(gpu_events::kNodeReady, id, node));
}

void Gpu::launch_node(std::uint32_t id, std::uint32_t index, Context& context) {
  GraphRun& run = graph_runs_[id];
  const CompiledGraph& graph = graphs_[run.graph];
  const GraphNode& node = graph.nodes()[index];
  if (is<EmptyNode>(node)) return end_node(id, index, false, context);
  if (const auto* host = get_if<HostWork>(node)) {
    const Duration work = std::max(Duration(0), host->duration);
    return context.schedule(work, gpu_events::event(gpu_events::kHostNodeEnd, id, index));
  }
  const std::uint32_t slot = works_.take();
  Work& work = works_[slot];
  work = Work{};
  work.command = run.command;
  work.graph_run = id;
  work.node = index;
  work.takes(node);
  work.ready = context.now();
  const bool root = graph.dependencies()[index] == 0;
  work.cause = root ? commands_[run.command].cause : WaitCause::kGraph;
  work.gated = run.gate[index] == kGateOpen;  // started before the node that it depends on ended
  if (work.gated) run.gate[index] = slot;
  if (work.is_kernel && resident_grids_ >= spec_.front_end.max_resident_grids) {
    nodes_waiting_.push_back(slot);
    return;
  }
  if (work.is_kernel) ++resident_grids_;
  begin_work(slot, Duration(0), context);
}

// From the end of a node to the start of one that depends on it. The launcher starts the dependents
// of a node one by one; where a node has many it prepares them together, which takes longer at
// first and less for each.
Duration Gpu::node_gap(std::uint32_t id, std::uint32_t from, bool triggered) const {
  const FrontEndSpec& spec = spec_.front_end;
  const Duration gap = triggered ? spec.triggered_node_gap : spec.graph_node_gap;
  return forks_widely(id, from) ? gap + spec.graph_fan_gap : gap;
}

bool Gpu::forks_widely(std::uint32_t id, std::uint32_t node) const {
  const CompiledGraph& graph = graphs_[graph_runs_[id].graph];
  return graph.successors(node).size() > spec_.front_end.graph_fork_max;
}

Duration Gpu::node_interval(std::uint32_t id, std::uint32_t from) const {
  const FrontEndSpec& spec = spec_.front_end;
  const std::size_t dependents = graphs_[graph_runs_[id].graph].successors(from).size();
  const bool narrow_fork = dependents > 1 && !forks_widely(id, from);
  return narrow_fork ? spec.graph_fork_interval : spec.graph_node_interval;
}

// The node lets its programmatic dependents start before it has ended. A dependent with further
// dependencies waits for all of them as usual.
void Gpu::trigger_node(std::uint32_t id, std::uint32_t node, Context& context) {
  GraphRun& run = graph_runs_[id];
  const CompiledGraph& graph = graphs_[run.graph];
  for (const std::uint32_t next : graph.successors(node)) {
    const auto* launch = get_if<LaunchKernel>(graph.nodes()[next]);
    if (launch == nullptr || !launch->programmatic || graph.dependencies()[next] != 1) continue;
    run.gate[next] = kGateOpen;
    --run.dependencies[next];
    ready_node(id, next, spec_.front_end.node_trigger_latency, node_interval(id, node), context);
  }
}

void Gpu::end_node(std::uint32_t id, std::uint32_t node, bool triggered, Context& context) {
  GraphRun& run = graph_runs_[id];
  for (const std::uint32_t next : graphs_[run.graph].successors(node)) {
    std::uint32_t& gate = run.gate[next];
    if (gate == kGateOpen) {
      gate = kNone;  // its work has not begun yet and needs no gate any more
    } else if (gate != kNone) {
      release(gate, spec_.front_end.node_release_latency, context);
    } else if (--run.dependencies[next] == 0) {
      ready_node(id, next, node_gap(id, node, triggered), node_interval(id, node), context);
    }
  }
  if (--run.remaining > 0) return;
  const std::uint32_t command = run.command;
  graph_runs_.give_back(id);
  complete(command, false, context);
}

}  // namespace septet
