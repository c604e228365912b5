// Graphs: their nodes become works one by one. Of a host node only its own time is modelled, not
// the path to the CPU thread that runs it and back.
#include <algorithm>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_events.hpp"

namespace septet::gpu {

void Gpu::start_graph(std::uint32_t command, engine::Context& context) {
  const std::uint32_t graph = graph_in(*front_end_.command(command).call);
  follow(graphs_.start(graph, command, context.now()), context);
}

void Gpu::follow(std::uint32_t run, engine::Context& context) {
  for (const GraphRuns::Step& step : graphs_.steps()) {
    if (step.work != kNone) {
      execution_.release(step.work, step.at, context);
    } else {
      context.schedule(step.at - context.now(), events::event(events::kNodeReady, run, step.node));
    }
  }
}

void Gpu::launch_node(std::uint32_t run, std::uint32_t index, engine::Context& context) {
  const program::GraphNode& node = graphs_.node(run, index);
  if (program::is<program::EmptyNode>(node)) return end_node(run, index, false, context);
  if (const auto* host = program::get_if<program::HostWork>(node)) {
    const Duration time = std::max(Duration(0), host->duration);
    return context.schedule(time, events::event(events::kHostNodeEnd, run, index));
  }
  Work work = work_of(node);
  work.graph_run = run;
  work.node = index;
  work.ready = context.now();
  const std::uint32_t command = graphs_.command(run);
  work.cause = records::WaitCause::kGraph;
  if (graphs_.is_root(run, index)) {
    work.cause = front_end_.command(command).cause;
    work.ready = work.ready - front_end_.command(command).held;
  }
  if (node.hold.duration > Duration(0)) work.cause = cause_of(node.hold);
  const std::uint32_t id = add_work(work, command);
  execution_[id].gated = graphs_.gate(run, index, id);
  if (work.is_kernel() && !front_end_.grids().take_for_node(id)) return;
  begin_work(id, node.hold.duration, context);
}

void Gpu::end_node(std::uint32_t run, std::uint32_t node, bool triggered,
                   engine::Context& context) {
  const std::uint32_t command = graphs_.command(run);
  const bool last = graphs_.end(run, node, triggered, context.now());
  follow(run, context);
  if (last) complete(command, false, context);
}

}  // namespace septet::gpu
