// CUDA graphs: nodes start when the nodes before them have ended, one after the other.
#include <algorithm>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {
namespace {

// Up to this many dependents or dependencies are handled without the extra time of a fan.
constexpr std::size_t kNarrow = 2;

}  // namespace

void Gpu::start_graph(std::uint32_t command, Context& context) {
  const std::uint32_t index = commands_[command].call->object;
  const CompiledGraph& graph = graphs_[index];
  const std::uint32_t id = graph_runs_.take();
  GraphRun& run = graph_runs_[id];
  run.graph = index;
  run.command = command;
  run.remaining = static_cast<std::uint32_t>(graph.nodes().size());
  run.dependencies.assign(graph.dependencies().begin(), graph.dependencies().end());
  run.gate.assign(graph.nodes().size(), kNone);
  run.next_node = context.now();
  for (const std::uint32_t root : graph.roots()) ready_node(id, root, Duration(0), context);
}

// A node's dependencies are met: it starts `gap` later, and at least one node interval after the
// node before it.
void Gpu::ready_node(std::uint32_t id, std::uint32_t node, Duration gap, Context& context) {
  GraphRun& run = graph_runs_[id];
  const Instant start = std::max(context.now() + gap, run.next_node);
  run.next_node = start + spec_.front_end.graph_node_interval;
  context.schedule(start - context.now(), gpu_events::event(gpu_events::kNodeReady, id, node));
}

void Gpu::launch_node(std::uint32_t id, std::uint32_t index, Context& context) {
  GraphRun& run = graph_runs_[id];
  const CompiledGraph& graph = graphs_[run.graph];
  const GraphNode& node = graph.nodes()[index];
  if (node.kind == NodeKind::kEmpty || node.kind == NodeKind::kHost) {
    return end_node(id, index, false, context);
  }
  const std::uint32_t slot = works_.take();
  Work& work = works_[slot];
  work = Work{};
  work.command = run.command;
  work.graph_run = id;
  work.node = index;
  work.object = node.object;
  work.is_kernel = node.kind == NodeKind::kKernel;
  work.timed = node.work != kModelled;
  work.direction = node.direction;
  work.fill = node.kind == NodeKind::kFill;
  work.bytes = node.bytes;
  work.duration = node.work;
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

Duration Gpu::node_gap(std::uint32_t id, std::uint32_t from, std::uint32_t to,
                       bool triggered) const {
  const FrontEndSpec& spec = spec_.front_end;
  const CompiledGraph& graph = graphs_[graph_runs_[id].graph];
  Duration gap = triggered ? spec.triggered_node_gap : spec.graph_node_gap;
  if (graph.successors(from).size() > kNarrow) gap += spec.graph_fan_gap;
  if (graph.dependencies()[to] > kNarrow) gap += spec.graph_fan_gap;
  return gap;
}

// The node lets its programmatic dependents start before it has ended. A dependent with further
// dependencies waits for all of them as usual.
void Gpu::trigger_node(std::uint32_t id, std::uint32_t node, Context& context) {
  GraphRun& run = graph_runs_[id];
  const CompiledGraph& graph = graphs_[run.graph];
  for (const std::uint32_t next : graph.successors(node)) {
    if (!graph.nodes()[next].programmatic || graph.dependencies()[next] != 1) continue;
    run.gate[next] = kGateOpen;
    --run.dependencies[next];
    ready_node(id, next, spec_.front_end.node_trigger_latency, context);
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
      ready_node(id, next, node_gap(id, node, next, triggered), context);
    }
  }
  if (--run.remaining > 0) return;
  const std::uint32_t command = run.command;
  graph_runs_.give_back(id);
  complete(command, false, context);
}

}  // namespace septet
