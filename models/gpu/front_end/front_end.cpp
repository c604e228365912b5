#include "models/gpu/front_end/front_end.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

// Copies between host and device have their own engines and queues. All other work goes through a
// compute connection, including copies within the device and memsets, since SMs execute them.
bool uses_connection(const program::Call& call) {
  const auto* copy = program::get_if<program::Copy>(call);
  return copy == nullptr ? is_launch(call.kind())
                         : copy->direction == program::CopyDirection::kDeviceToDevice;
}

// A recorded kernel that overlapped its predecessor starts when that ends; the overlapped part is
// not in its duration.
bool follows_at_once(const program::Call& call) {
  const auto* launch = program::get_if<program::LaunchKernel>(call);
  return launch != nullptr && launch->programmatic && launch->recorded != program::kModelled;
}

bool needs_grid(const program::Call& call) {
  return program::is<program::LaunchKernel>(call) || program::is<program::JoinCollective>(call);
}

}  // namespace

FrontEnd::FrontEnd(const Setup& setup, const program::DeviceLayout& layout)
    : setup_(setup),
      layout_(layout),
      streams_(layout.streams),
      connections_(setup.spec, setup.connections, layout.processes.size()),
      events_(setup.spec, layout.awaited_events, setup.connections),
      grids_(setup.spec.max_resident_grids) {
  for (std::uint32_t slot = 0; slot < layout.streams.size(); ++slot) {
    const std::uint32_t stream = layout.streams[slot];
    streams_[stream].process = layout.processes.slot(setup.program.streams[stream].process);
  }
}

std::uint32_t FrontEnd::event_of(const Command& command) const {
  return septet::program::event_of(setup_.program.threads[command.name.thread], *command.call);
}

std::uint32_t FrontEnd::arrive(const engine::Event& event, Instant now) {
  const std::uint32_t slot = commands_.take();
  Command& command = commands_[slot];
  command.name = program::unpack(event.a);
  const program::HostThread& thread = setup_.program.threads[command.name.thread];
  command.call = &calls_of(setup_.program, thread)[command.name.call];
  command.stream = stream_of(thread, *command.call);
  command.issued = Instant(static_cast<std::int64_t>(event.b));
  command.arrived = now;
  command.generation = event.tag;
  StreamQueue& stream = streams_[command.stream];
  stream.commands.push_back(slot);
  if (uses_connection(*command.call)) {
    connections_.join(stream.hold, stream.process, slot, now);
  }
  return slot;
}

// Takes the stream's first command that has not been launched, if nothing blocks it.
FrontEnd::Step FrontEnd::take_head(const StreamTurn& turn, const ProcessTurns& turns, Instant now) {
  const StreamQueue& stream = streams_[turn.stream];
  if (stream.launched >= stream.commands.size()) return {};
  if (turns.sliced() && !turns.has_gpu(process_of(turn.stream))) return {};
  const std::uint32_t slot = stream.commands[stream.launched];
  const program::Call& call = *commands_[slot].call;
  const bool early = stream.triggered && is_programmatic(call);
  if (stream.launched > 0 && !early) return {};
  switch (call.kind()) {
    case program::CallKind::kRecordEvent:
      return record(turn.stream, slot, now);
    case program::CallKind::kWaitEvent:
      return pass_wait(turn, slot, now);
    case program::CallKind::kHold:
      hold(streams_[turn.stream], program::as<program::Hold>(call));
      return {StepKind::kPass, slot};
    case program::CallKind::kUploadGraph:
      return {StepKind::kPass, slot};
    default:
      return launch(turn.stream, slot, turn.cause, now);
  }
}

void FrontEnd::hold(StreamQueue& stream, const program::Hold& more) {
  stream.held.duration += more.duration;
  stream.held.reason = more.reason;
}

// A record releases waiting streams as soon as the stream's earlier work has ended; the time that
// it stores is that of a command behind that work.
FrontEnd::Step FrontEnd::record(std::uint32_t stream, std::uint32_t slot, Instant now) const {
  const Instant seen = commands_[slot].arrived + setup_.spec.record_latency;
  const Instant at = std::max(seen, streams_[stream].ended);
  return {at > now ? StepKind::kLookAgain : StepKind::kRecord, slot, at};
}

FrontEnd::Step FrontEnd::pass_wait(const StreamTurn& turn, std::uint32_t slot, Instant now) {
  const Command& command = commands_[slot];
  if (!events_.passes(event_of(command), command.generation, turn.stream)) return {};
  if (turn.cause == records::WaitCause::kEvent) {
    StreamQueue& stream = streams_[turn.stream];
    stream.earliest = std::max(stream.earliest, now + turn.latency);
    stream.cause = records::WaitCause::kEvent;
  }
  return {StepKind::kPass, slot};
}

FrontEnd::Step FrontEnd::launch(std::uint32_t index, std::uint32_t slot, records::WaitCause cause,
                                Instant now) {
  StreamQueue& stream = streams_[index];
  Command& command = commands_[slot];
  const bool connected = uses_connection(*command.call);
  if (connected && connections_.head(stream.hold) != slot) return {};
  if (needs_grid(*command.call) && !grids_.take_for_stream(index)) return {};
  command.cause = cause;
  command.ready = start_time(command, connected, now);
  command.held = stream.held.duration;
  if (command.held > Duration(0)) command.cause = cause_of(stream.held);
  stream.held = {};
  ++stream.launched;
  stream.triggered = false;
  stream.on_copy_engine = !connected;
  if (connected) leave_connection(stream, command.ready, now);
  return {StepKind::kLaunch, slot};
}

// The next command of the connection may belong to another stream, which can then continue.
void FrontEnd::leave_connection(StreamQueue& stream, Instant start, Instant now) {
  const std::uint32_t next = connections_.leave(stream.hold, start, now);
  if (next != kNone)
    consider({commands_[next].stream, records::WaitCause::kConnection, Duration(0)});
}

Duration FrontEnd::launch_latency(const program::Call& call, bool connected) const {
  const FrontEndSpec& spec = setup_.spec;
  const auto more = static_cast<std::int64_t>(setup_.connections) -
                    static_cast<std::int64_t>(spec.default_connections);
  const Duration extra = spec.launch_latency_per_connection * std::max<std::int64_t>(0, more);
  if (program::is<program::LaunchGraph>(call)) return spec.graph_launch_latency + extra;
  // Memsets by a kernel start as kernels do; of recorded ones the recording shows one latency.
  const auto* memset = program::get_if<program::Memset>(call);
  const bool needs_no_kernel = memset != nullptr && (memset->recorded != program::kModelled ||
                                                     memset->bytes <= setup_.inline_memset_max);
  if (needs_no_kernel) return spec.memset_launch_latency + extra;
  return (connected ? spec.launch_latency : spec.copy_launch_latency) + extra;
}

// Until when earlier work in its stream, or an event, blocks a command.
Instant FrontEnd::held_until(const Command& command, bool connected, Instant now) const {
  const FrontEndSpec& spec = setup_.spec;
  const program::Call& call = *command.call;
  const StreamQueue& stream = streams_[command.stream];
  if (follows_at_once(call)) return stream.ended;
  if (command.cause == records::WaitCause::kResidentGrids) return now + spec.stream_gap;
  if (stream.launched > 0) return now + spec.trigger_latency;
  if (stream.cause != records::WaitCause::kStreamOrder) return stream.earliest;
  Instant held = stream.earliest;
  if (program::is<program::LaunchGraph>(call)) held += spec.graph_gap - spec.stream_gap;
  const bool other_engine = stream.on_copy_engine == connected;
  if (other_engine && stream.ended > Instant()) held += spec.engine_hop;
  return held;
}

// When an unblocked command starts, and which of its conditions was satisfied last.
Instant FrontEnd::start_time(Command& command, bool connected, Instant now) const {
  const StreamQueue& stream = streams_[command.stream];
  const Instant taken = connected ? std::max(now, connections_.free_at(stream.hold)) : now;
  const Instant submitted = command.arrived + launch_latency(*command.call, connected);
  const Instant held = held_until(command, connected, now);
  const Instant start = std::max({taken, submitted, held});
  if (start == submitted) {
    command.cause = records::WaitCause::kSubmission;
  } else if (start == held && command.cause != records::WaitCause::kResidentGrids) {
    command.cause = stream.cause;
  }
  return start;
}

bool FrontEnd::trigger(std::uint32_t index, std::uint32_t work) {
  StreamQueue& stream = streams_[index];
  if (stream.works.back() != work) return false;
  stream.triggered = true;
  return true;
}

}  // namespace septet::gpu
