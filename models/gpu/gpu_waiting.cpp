// What stands still in a GPU once nothing can happen any more, and what it waits for.
#include <algorithm>

#include <fmt/format.h>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {
namespace {

Party stream_party(std::uint32_t stream) { return {PartyKind::kStream, stream}; }

}  // namespace

std::vector<Waiting> Gpu::waiting() const {
  std::vector<Waiting> out;
  for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
    const std::uint32_t s = layout_.streams[i];
    if (streams_[s].commands.empty()) continue;
    Waiting one;
    one.who = stream_party(s);
    explain_stream(s, one);
    one.what = stream_text(program_, s) + ": " + one.what;
    out.push_back(std::move(one));
  }
  return out;
}

// "kernel 'k' of call 3", "wait event of call 4"
std::string Gpu::command_text(std::uint32_t slot) const {
  const Command& command = commands_[slot];
  const Call& call = *command.call;
  std::string what = name_of(call.kind());
  if (const auto* launch = get_if<LaunchKernel>(call)) {
    what = "kernel '" + program_.kernels[launch->kernel].name + "'";
  } else if (const auto* graph = get_if<LaunchGraph>(call)) {
    what = "graph '" + program_.graphs[graph->graph].name + "'";
  } else if (const auto* join = get_if<JoinCollective>(call)) {
    what = text_of(program_.collectives[join->collective]);
  }
  return fmt::format("{} of call {}", what, command.name.call);
}

void Gpu::explain_stream(std::uint32_t index, Waiting& out) const {
  const StreamQueue& stream = streams_[index];
  const std::uint32_t slot = stream.commands.front();
  out.what = command_text(slot);
  if (sliced() && client_of_stream(index) != active_) return explain_turn(out);
  if (stream.launched > 0) return explain_running(slot, out);
  const Call& call = *commands_[slot].call;
  if (is<WaitEvent>(call)) return explain_event_wait(slot, out);
  if (stream.connection != kNone && stream.queued > 0) {
    const std::uint32_t head = connections_[stream.connection].commands.front();
    if (head != slot) {
      const std::uint32_t other = call_stream(commands_[head]);
      out.what +=
          fmt::format(" stands behind {} of {} in hardware connection {}", command_text(head),
                      stream_text(program_, other), stream.connection % wiring_.connections);
      out.on.push_back(stream_party(other));
      return;
    }
  }
  explain_resident_grids(out);
}

void Gpu::explain_turn(Waiting& out) const {
  out.what += " waits for the turn of its process";
  for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
    const std::uint32_t s = layout_.streams[i];
    const bool has_gpu = active_ != kNone && client_of_stream(s) == active_;
    if (has_gpu && !streams_[s].commands.empty()) out.on.push_back(stream_party(s));
  }
}

void Gpu::explain_event_wait(std::uint32_t slot, Waiting& out) const {
  const std::uint32_t event = event_of(commands_[slot]);
  out.what += fmt::format(" waits for event {}", event);
  for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
    const std::uint32_t s = layout_.streams[i];
    const Fifo<std::uint32_t>& commands = streams_[s].commands;
    for (std::size_t c = 0; c < commands.size(); ++c) {
      const Command& other = commands_[commands[c]];
      if (!is<RecordEvent>(*other.call) || event_of(other) != event) continue;
      out.what += ", to be recorded on " + stream_text(program_, s);
      out.on.push_back(stream_party(s));
      return;
    }
  }
  out.what += ", to be recorded on another GPU";
}

// Any grid that ends makes room.
void Gpu::explain_resident_grids(Waiting& out) const {
  out.what +=
      fmt::format(" waits for the end of a resident grid, of which there are {}", resident_grids_);
  works_.for_each([&](std::uint32_t, const Work& work) {
    if (!work.is_kernel || !work.admitted) return;
    out.on.push_back(stream_party(call_stream(commands_[work.command])));
  });
}

// A launched command: a kernel, or the nodes of a graph that have begun.
void Gpu::explain_running(std::uint32_t slot, Waiting& out) const {
  bool told = false;
  works_.for_each([&](std::uint32_t, const Work& work) {
    if (work.command != slot || told) return;
    told = true;
    if (work.graph_run != kNone) {
      out.what += work.is_collective ? fmt::format(", node {}, {}", work.node,
                                                   text_of(program_.collectives[work.object]))
                                     : fmt::format(", node {}, kernel '{}'", work.node,
                                                   program_.kernels[work.object].name);
    }
    explain_work(work, out);
  });
}

void Gpu::explain_work(const Work& work, Waiting& out) const {
  if (work.joined) {
    const std::uint32_t communicator = wiring_.sites[work.site].communicator;
    out.what += " waits for the other ranks of " +
                communicator_text(program_.communicators[communicator], communicator);
    out.on.push_back({PartyKind::kCommunicator, communicator});
    return;
  }
  if (!work.admitted) return explain_resident_grids(out);
  const std::uint32_t stream = call_stream(commands_[work.command]);
  const Distributor& distributor = *clients_[owner_of(stream)].distributor;
  const auto* persistent = work.is_collective
                               ? nullptr
                               : std::get_if<PersistentWork>(&program_.kernels[work.object].work);
  if (persistent != nullptr && distributor.running(work.grid) > 0) {
    const std::uint64_t left = queues_[persistent->queue].items_left;
    out.what += fmt::format(" has done {} of {} items and waits for {} more from {}",
                            persistent->items - left, persistent->items, left,
                            queue_text(program_, persistent->queue));
    out.on.push_back({PartyKind::kQueue, persistent->queue});
    return;
  }
  out.what += fmt::format(" has {} without room on the SMs",
                          counted(distributor.unplaced(work.grid), "block"));
  works_.for_each([&](std::uint32_t, const Work& other) {
    if (!other.is_kernel || !other.admitted || &other == &work) return;
    const std::uint32_t holder = call_stream(commands_[other.command]);
    const bool holds = owner_of(holder) == owner_of(stream) && distributor.running(other.grid) > 0;
    if (holds) out.on.push_back(stream_party(holder));
  });
}

QueueStanding Gpu::standing(std::uint32_t queue) const {
  QueueStanding out;
  out.held = queues_[queue].pending.size();
  for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
    const std::uint32_t s = layout_.streams[i];
    const Fifo<std::uint32_t>& commands = streams_[s].commands;
    for (std::size_t c = 0; c < commands.size(); ++c) {
      const auto served = queues_served(program_, *commands_[commands[c]].call);
      if (std::find(served.begin(), served.end(), queue) != served.end()) out.server = s;
    }
  }
  return out;
}

}  // namespace septet
