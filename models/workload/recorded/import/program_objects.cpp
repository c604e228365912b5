#include "models/workload/recorded/import/program_objects.hpp"

#include <algorithm>

namespace septet {

ProgramObjects::ProgramObjects(const RecordedTrace& trace, const RecordingIndex& index,
                               const CommandPlans& commands, Program& program)
    : trace_(trace), index_(index), commands_(commands), program_(program) {}

std::uint32_t ProgramObjects::string_of(const RecordedEvent& event) {
  const auto [entry, fresh] =
      strings_.try_emplace(event.name, static_cast<std::uint32_t>(program_.strings.size()));
  if (fresh) program_.strings.emplace_back(trace_.text(event.name));
  return entry->second;
}

std::uint32_t ProgramObjects::string_of(const std::string& text) {
  program_.strings.push_back(text);
  return static_cast<std::uint32_t>(program_.strings.size() - 1);
}

// HIP records the shape with the call instead of the kernel.
LaunchShape ProgramObjects::shape_of(const GpuCommand& command) const {
  LaunchShape shape;
  shape.grid = {0, 0, 0};
  const auto* kernel = trace_.activity<KernelActivity>(trace_.events[command.event]);
  if (kernel != nullptr) shape = kernel->shape;
  if (shape.blocks() > 0 || command.call == kNone) return shape;
  const HostCall& call = index_.calls[command.call];
  const auto* launch = trace_.activity<LaunchActivity>(trace_.events[call.event]);
  return launch == nullptr ? shape : launch->shape;
}

std::uint32_t ProgramObjects::kernel_of(const GpuCommand& command) {
  const RecordedEvent& event = trace_.events[command.event];
  const LaunchShape shape = shape_of(command);
  std::vector<std::uint32_t>& of_name = kernels_[event.name];
  for (const std::uint32_t kernel : of_name) {
    if (program_.kernels[kernel].shape == shape) return kernel;
  }
  of_name.push_back(static_cast<std::uint32_t>(program_.kernels.size()));
  program_.kernels.push_back({std::string(trace_.text(event.name)), shape, RecordedWork{}, {}});
  return of_name.back();
}

Duration ProgramObjects::work_of(std::uint32_t number) const {
  const GpuCommand& command = index_.commands[number];
  const CommandPlan& plan = commands_.commands[number];
  return std::max(Duration{}, command.end - command.start + plan.lead + plan.tail);
}

Call ProgramObjects::call_of(std::uint32_t number) {
  const GpuCommand& command = index_.commands[number];
  const RecordedEvent& event = trace_.events[command.event];
  Call call;
  call.stream = command.stream;
  call.correlation = event.correlation;
  call.name = string_of(event);
  if (event.kind == RecordedKind::kKernel) {
    call.what =
        LaunchKernel{kernel_of(command), commands_.commands[number].programmatic, work_of(number)};
    return call;
  }
  if (const auto* memset = trace_.activity<MemsetActivity>(event)) {
    call.what = Memset{memset->bytes, work_of(number)};
    return call;
  }
  Copy copy{.recorded = work_of(number)};
  if (const auto* activity = trace_.activity<CopyActivity>(event)) {
    copy.bytes = activity->bytes;
    copy.direction = activity->direction.value_or(copy.direction);
    copy.pinned = activity->pinned;
  }
  call.what = copy;
  return call;
}

GraphNode ProgramObjects::node_of(std::uint32_t number) {
  const Call call = call_of(number);
  GraphNode node{.name = call.name, .correlation = call.correlation};
  if (const auto* launch = get_if<LaunchKernel>(call)) node.what = *launch;
  if (const auto* memset = get_if<Memset>(call)) node.what = *memset;
  if (const auto* copy = get_if<Copy>(call)) {
    node.what = *copy;
    as<Copy>(node).pinned = true;  // nothing is staged when the graph runs
  }
  return node;
}

std::uint32_t ProgramObjects::add_graph(std::uint32_t call, std::vector<std::uint32_t>& identity) {
  Graph graph;
  graph.edges = commands_.edges.at(call);
  GraphKey key;
  for (const GraphEdge& edge : graph.edges) key.push_back(std::uint64_t{edge.from} << 32 | edge.to);
  for (const std::uint32_t number : index_.calls[call].commands) {
    const GraphNode node = node_of(number);
    const auto* launch = get_if<LaunchKernel>(node);
    const auto* copy = get_if<Copy>(node);
    const auto* memset = get_if<Memset>(node);
    key.push_back(std::uint64_t{launch == nullptr ? kNone : launch->kernel} << 32 | node.name);
    key.push_back(static_cast<std::uint64_t>(copy != nullptr     ? copy->bytes.count()
                                             : memset != nullptr ? memset->bytes.count()
                                                                 : 0));
    graph.nodes.push_back(node);
  }
  const auto number = static_cast<std::uint32_t>(program_.graphs.size());
  const auto [entry, fresh] = graphs_.try_emplace(std::move(key), number);
  identity.push_back(entry->second);
  graph.name =
      fresh ? "graph " + std::to_string(graphs_.size() - 1) : program_.graphs[entry->second].name;
  program_.graphs.push_back(std::move(graph));
  return number;
}

}  // namespace septet
