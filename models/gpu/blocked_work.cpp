#include "models/gpu/blocked_work.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace septet::gpu {
namespace {

program::Party stream_party(std::uint32_t stream) { return {program::PartyKind::kStream, stream}; }

// Calls `action` with the number and the state of each stream of the GPU.
template <class Action>
void for_each_stream(const BlockedWork& gpu, Action action) {
  for (std::uint32_t i = 0; i < gpu.layout.streams.size(); ++i) {
    const std::uint32_t stream = gpu.layout.streams[i];
    action(stream, gpu.front_end.stream(stream));
  }
}

}  // namespace

std::vector<program::Waiting> BlockedWork::waiting() const {
  std::vector<program::Waiting> out;
  for_each_stream(*this, [&](std::uint32_t stream, const StreamQueue& queue) {
    if (queue.commands.empty()) return;
    program::Waiting one;
    one.who = stream_party(stream);
    explain_stream(stream, one);
    one.what = stream_text(environment.program, stream) + ": " + one.what;
    out.push_back(std::move(one));
  });
  return out;
}

// "kernel 'k' of call 3", "wait event of call 4"
std::string BlockedWork::command_text(std::uint32_t slot) const {
  const Command& command = front_end.command(slot);
  const program::Call& call = *command.call;
  const program::Program& program = environment.program;
  std::string what = name_of(call.kind());
  if (const auto* launch = program::get_if<program::LaunchKernel>(call)) {
    what = "kernel '" + program.kernels[launch->kernel].name + "'";
  } else if (const auto* graph = program::get_if<program::LaunchGraph>(call)) {
    what = "graph '" + program.graphs[graph->graph].name + "'";
  } else if (const auto* collective = program::get_if<program::JoinCollective>(call)) {
    what = program::collective_text(program.collectives[collective->collective]);
  }
  return fmt::format("{} of call {}", what, command.name.call);
}

void BlockedWork::explain_stream(std::uint32_t index, program::Waiting& out) const {
  const StreamQueue& stream = front_end.stream(index);
  const std::uint32_t slot = stream.commands.front();
  out.what = command_text(slot);
  if (!turns.has_gpu(front_end.process_of(index))) return explain_time_slice(out);
  if (stream.launched > 0) return explain_running(slot, out);
  if (program::is<program::WaitEvent>(*front_end.command(slot).call)) {
    return explain_event_wait(front_end.command(slot), out);
  }
  const Connections& connections = front_end.connections();
  const std::uint32_t head = stream.hold.queued > 0 ? connections.head(stream.hold) : slot;
  if (head == slot) return explain_resident_grids(out);
  const std::uint32_t other = front_end.command(head).stream;
  out.what +=
      fmt::format(" is queued behind {} of {} in hardware connection {}", command_text(head),
                  stream_text(environment.program, other), connections.number(stream.hold));
  out.on.push_back(stream_party(other));
}

void BlockedWork::explain_time_slice(program::Waiting& out) const {
  out.what += " waits for the time slice of its process";
  for_each_stream(*this, [&](std::uint32_t stream, const StreamQueue& queue) {
    const bool has_gpu = front_end.process_of(stream) == turns.active();
    if (has_gpu && !queue.commands.empty()) out.on.push_back(stream_party(stream));
  });
}

void BlockedWork::explain_event_wait(const Command& command, program::Waiting& out) const {
  const std::uint32_t event = front_end.event_of(command);
  out.what += fmt::format(" waits for event {}", event);
  for_each_stream(*this, [&](std::uint32_t stream, const StreamQueue& queue) {
    for (std::size_t c = 0; c < queue.commands.size() && out.on.empty(); ++c) {
      const Command& other = front_end.command(queue.commands[c]);
      if (!program::is<program::RecordEvent>(*other.call) || front_end.event_of(other) != event)
        continue;
      out.what += ", to be recorded on " + stream_text(environment.program, stream);
      out.on.push_back(stream_party(stream));
    }
  });
  if (out.on.empty()) out.what += ", to be recorded on another GPU";
}

// Any grid that ends makes room.
void BlockedWork::explain_resident_grids(program::Waiting& out) const {
  out.what += fmt::format(" waits for one of {} resident grids to end", front_end.grids().count());
  execution.works().for_each([&](std::uint32_t, const Work& work) {
    if (work.is_kernel() && work.admitted) out.on.push_back(stream_party(work.stream));
  });
}

// A launched command: a kernel, or the nodes of a graph that have begun.
void BlockedWork::explain_running(std::uint32_t slot, program::Waiting& out) const {
  const program::Program& program = environment.program;
  bool told = false;
  execution.works().for_each([&](std::uint32_t, const Work& work) {
    if (work.command != slot || told) return;
    told = true;
    if (work.graph_run != kNone) {
      out.what +=
          work.is_collective()
              ? fmt::format(", node {}, {}", work.node,
                            program::collective_text(program.collectives[work.object]))
              : fmt::format(", node {}, kernel '{}'", work.node, program.kernels[work.object].name);
    }
    explain_work(work, out);
  });
}

void BlockedWork::explain_work(const Work& work, program::Waiting& out) const {
  const program::Program& program = environment.program;
  if (work.joined) {
    const std::uint32_t communicator = environment.calls[work.call].communicator;
    out.what += " waits for the other ranks of " +
                communicator_text(program.communicators[communicator], communicator);
    out.on.push_back({program::PartyKind::kCommunicator, communicator});
    return;
  }
  if (!work.admitted) return explain_resident_grids(out);
  const program::PersistentWork* kernel = persistent.description_of(work);
  if (kernel == nullptr || execution.grids_of(work).running(work) == 0) {
    return explain_sm_resources(work, out);
  }
  const std::uint64_t left = persistent.queues().items_left(kernel->queue);
  out.what +=
      fmt::format(" has done {} of {} items and waits for {} more from {}", kernel->items - left,
                  kernel->items, left, queue_text(program, kernel->queue));
  out.on.push_back({program::PartyKind::kQueue, kernel->queue});
}

void BlockedWork::explain_sm_resources(const Work& work, program::Waiting& out) const {
  const GridExecution& grids = execution.grids_of(work);
  out.what += fmt::format(" has {} not yet placed on an SM",
                          program::counted(grids.unplaced(work), "block"));
  execution.works().for_each([&](std::uint32_t, const Work& other) {
    if (!other.is_kernel() || !other.admitted || &other == &work) return;
    const bool holds = other.owner == work.owner && grids.running(other) > 0;
    if (holds) out.on.push_back(stream_party(other.stream));
  });
}

program::QueueState BlockedWork::queue_state(std::uint32_t queue) const {
  program::QueueState out;
  out.held = persistent.queues().items_waiting(queue);
  for_each_stream(*this, [&](std::uint32_t stream, const StreamQueue& commands) {
    for (std::size_t c = 0; c < commands.commands.size(); ++c) {
      const program::Call& call = *front_end.command(commands.commands[c]).call;
      const auto served = queues_served(environment.program, call);
      if (std::find(served.begin(), served.end(), queue) != served.end()) out.server = stream;
    }
  });
  return out;
}

}  // namespace septet::gpu
