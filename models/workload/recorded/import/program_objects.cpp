#include "models/workload/recorded/import/program_objects.hpp"

#include <algorithm>

namespace septet::recorded {

ProgramObjects::ProgramObjects(const RecordedTrace& trace, const RecordingIndex& index,
                               const CommandPlans& commands, program::Program& program)
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
program::LaunchShape ProgramObjects::shape_of(const GpuCommand& command) const {
  program::LaunchShape shape;
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
  const program::LaunchShape shape = shape_of(command);
  std::vector<std::uint32_t>& of_name = kernels_[event.name];
  for (const std::uint32_t kernel : of_name) {
    if (program_.kernels[kernel].shape == shape) return kernel;
  }
  of_name.push_back(static_cast<std::uint32_t>(program_.kernels.size()));
  program_.kernels.push_back(
      {std::string(trace_.text(event.name)), shape, program::RecordedWork{}, {}});
  return of_name.back();
}

Duration ProgramObjects::work_of(std::uint32_t number) const {
  const GpuCommand& command = index_.commands[number];
  const CommandPlan& plan = commands_.commands[number];
  return std::max(Duration{}, command.end - command.start + plan.lead + plan.tail);
}

program::Call ProgramObjects::call_of(std::uint32_t number) {
  const GpuCommand& command = index_.commands[number];
  const RecordedEvent& event = trace_.events[command.event];
  program::Call call;
  call.stream = command.stream;
  call.correlation = event.correlation;
  call.name = string_of(event);
  if (event.kind == RecordedKind::kKernel) {
    call.what = program::LaunchKernel{kernel_of(command), commands_.commands[number].programmatic,
                                      work_of(number)};
    return call;
  }
  if (const auto* memset = trace_.activity<MemsetActivity>(event)) {
    call.what = program::Memset{memset->bytes, work_of(number)};
    return call;
  }
  program::Copy copy{.recorded = work_of(number)};
  if (const auto* activity = trace_.activity<CopyActivity>(event)) {
    copy.bytes = activity->bytes;
    copy.direction = activity->direction.value_or(copy.direction);
    copy.pinned = activity->pinned;
  }
  call.what = copy;
  return call;
}

program::GraphNode ProgramObjects::node_of(std::uint32_t number) {
  const program::Call call = call_of(number);
  program::GraphNode node{
      .name = call.name, .correlation = call.correlation, .hold = commands_.commands[number].hold};
  if (const auto* launch = program::get_if<program::LaunchKernel>(call)) node.what = *launch;
  if (const auto* memset = program::get_if<program::Memset>(call)) node.what = *memset;
  if (const auto* copy = program::get_if<program::Copy>(call)) {
    node.what = *copy;
    program::as<program::Copy>(node).pinned = true;  // nothing is staged when the graph runs
  }
  return node;
}

std::uint32_t ProgramObjects::add_graph(std::uint32_t call, std::vector<std::uint32_t>& identity) {
  program::Graph graph;
  graph.edges = commands_.edges.at(call);
  GraphKey key;
  for (const program::GraphEdge& edge : graph.edges)
    key.push_back(std::uint64_t{edge.from} << 32 | edge.to);
  for (const std::uint32_t number : index_.calls[call].commands) {
    const program::GraphNode node = node_of(number);
    const auto* launch = program::get_if<program::LaunchKernel>(node);
    const auto* copy = program::get_if<program::Copy>(node);
    const auto* memset = program::get_if<program::Memset>(node);
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

}  // namespace septet::recorded
