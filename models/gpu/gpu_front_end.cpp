// Stage 1: streams, connections, events.
#include <algorithm>
#include <utility>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {
namespace {

// Copies between host and device have engines and queues of their own. Everything else that runs
// goes through a compute connection, copies inside the device and memsets too, since SMs do them.
bool uses_connection(const Call& call) {
  const auto* copy = get_if<Copy>(call);
  return copy == nullptr ? is_launch(call.kind())
                         : copy->direction == CopyDirection::kDeviceToDevice;
}

// A recorded kernel that overlapped the one before it starts when that ends; what of it ran before
// is not in its duration.
bool follows_at_once(const Call& call) {
  const auto* launch = get_if<LaunchKernel>(call);
  return launch != nullptr && launch->programmatic && launch->recorded != kModelled;
}

bool needs_grid(const Call& call) { return is<LaunchKernel>(call) || is<JoinCollective>(call); }

// A stream that is looked at again while it waits keeps its place.
template <class Streams>
void insert_once(Streams& waiting, std::uint32_t stream) {
  if (std::find(waiting.begin(), waiting.end(), stream) == waiting.end()) waiting.push_back(stream);
}

}  // namespace

void Gpu::arrive(const Event& event, Context& context) {
  const CommandName name = unpack(event.a);
  const std::uint32_t slot = commands_.take();
  Command& command = commands_[slot];
  command.name = name;
  const HostThread& thread = program_.threads[name.thread];
  command.call = &calls_of(program_, thread)[name.call];
  command.stream = stream_of(thread, *command.call);
  command.issued = Instant(static_cast<std::int64_t>(event.b));
  command.arrived = context.now();
  command.generation = event.tag;
  const std::uint32_t stream = command.stream;
  streams_[stream].commands.push_back(slot);
  if (uses_connection(*command.call)) join_connection(stream, slot, context);
  const std::uint32_t client = client_of_stream(stream);
  client_arrival(client, context);
  if (!sliced() || active_ == client) pump(stream, WaitCause::kSubmission, context);
}

void Gpu::join_connection(std::uint32_t index, std::uint32_t slot, Context& context) {
  StreamQueue& stream = streams_[index];
  const bool holds =
      stream.connection != kNone && (stream.queued > 0 || context.now() <= stream.held_until);
  if (!holds) {
    stream.connection = pick_connection(client_of_stream(index));
    connections_[stream.connection].given = ++connections_given_;
  }
  ++stream.queued;
  connections_[stream.connection].commands.push_back(slot);
}

// A connection of the client in which nothing waits, else any of them; of several the one given
// out least recently.
std::uint32_t Gpu::pick_connection(std::uint32_t client) const {
  const std::uint32_t first = client * wiring_.connections;
  std::uint32_t best = first;
  for (std::uint32_t c = first + 1; c < first + wiring_.connections; ++c) {
    const Connection& candidate = connections_[c];
    const bool waits = !candidate.commands.empty();
    const bool best_waits = !connections_[best].commands.empty();
    const bool older = candidate.given < connections_[best].given;
    if (waits != best_waits ? best_waits : older) best = c;
  }
  return best;
}

// Takes commands of a stream, and of the streams that this lets go on, until all have to wait.
// `cause`: what has just happened, and so what the stream's head waited for.
void Gpu::pump(std::uint32_t stream, WaitCause cause, Context& context) {
  pump(PendingPump{stream, cause, Duration(0)}, context);
}

void Gpu::pump(const PendingPump& look, Context& context) {
  to_pump_.push_back(look);
  if (to_pump_.size() > 1) return;  // an outer call works through the list
  for (std::size_t i = 0; i < to_pump_.size(); ++i) {
    const PendingPump next = to_pump_[i];
    while (take_head(next, context)) {
    }
  }
  to_pump_.clear();
}

// Takes the stream's first command that has not been launched, if nothing holds it up.
bool Gpu::take_head(const PendingPump& look, Context& context) {
  const std::uint32_t index = look.stream;
  StreamQueue& stream = streams_[index];
  if (stream.launched >= stream.commands.size()) return false;
  if (sliced() && client_of_stream(index) != active_) return false;
  const std::uint32_t slot = stream.commands[stream.launched];
  const Call& call = *commands_[slot].call;
  const bool early = stream.triggered && is_programmatic(call);
  if (stream.launched > 0 && !early) return false;
  switch (call.kind()) {
    case CallKind::kRecordEvent:
      return record(index, slot, context);
    case CallKind::kWaitEvent:
      return pass_wait(look, slot, context);
    case CallKind::kUploadGraph:
      return retire(index, slot, context), true;
    default:
      return launch(index, slot, look.cause, context);
  }
}

// A record lets waiting streams go on as soon as the stream's work before it has ended; the time
// that it writes down is that of a command behind that work.
bool Gpu::record(std::uint32_t index, std::uint32_t slot, Context& context) {
  const StreamQueue& stream = streams_[index];
  const Command& command = commands_[slot];
  const Instant at = std::max(command.arrived + spec_.front_end.record_latency, stream.ended);
  if (at > context.now()) {
    context.schedule(at - context.now(), gpu_events::event(gpu_events::kPumpStream, index));
    return false;
  }
  const std::uint32_t event = event_of(command);
  const auto& listeners = layout_.listeners;
  auto listener = std::lower_bound(listeners.begin(), listeners.end(), EventListener{event, 0});
  for (; listener != listeners.end() && listener->event == event; ++listener) {
    context.send(wiring_.gpus[listener->device], wiring_.peer_latency,
                 event_recorded(event, command.generation));
  }
  if (traced()) {
    const auto number = [](std::uint32_t id) { return static_cast<std::int32_t>(id); };
    context.emit(wiring_.event_records,
                 EventRecord{std::max(context.now(), stream.earliest), number(event),
                             number(call_stream(command)), number(device_)});
  }
  const std::uint16_t generation = command.generation;
  retire(index, slot, context);
  event_done(event, generation, context);
  return true;
}

std::uint32_t Gpu::call_stream(const Command& command) const { return command.stream; }

std::uint32_t Gpu::event_of(const Command& command) const {
  return septet::event_of(program_.threads[command.name.thread], *command.call);
}

bool Gpu::pass_wait(const PendingPump& look, std::uint32_t slot, Context& context) {
  const std::uint32_t index = look.stream;
  StreamQueue& stream = streams_[index];
  AwaitedEvent& event = events_[event_of(commands_[slot])];
  if (!event.progress.done(commands_[slot].generation)) {
    insert_once(event.waiters, index);
    return false;
  }
  if (look.cause == WaitCause::kEvent) {
    stream.earliest = std::max(stream.earliest, context.now() + look.latency);
    stream.cause = WaitCause::kEvent;
  }
  retire(index, slot, context);
  return true;
}

// Connections whose head waits for an event are polled in turn, so that the later ones of several
// that wait for the same event see it later.
void Gpu::event_done(std::uint32_t event, std::uint16_t generation, Context& context) {
  // Others are not awaited here, and their records elsewhere are not told to this GPU.
  if (!layout_.awaited_events.contains(event)) return;
  events_[event].progress.record(generation);
  std::vector<std::uint32_t> waiting;
  waiting.swap(events_[event].waiters);
  const FrontEndSpec& spec = spec_.front_end;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const auto turn = static_cast<std::int64_t>(std::min<std::size_t>(i, wiring_.connections - 1));
    const Duration latency =
        spec.event_wait_latency + spec.event_poll_interval * (2 * turn + 1) / 2;
    pump({waiting[i], WaitCause::kEvent, latency}, context);
  }
}

bool Gpu::launch(std::uint32_t index, std::uint32_t slot, WaitCause cause, Context& context) {
  StreamQueue& stream = streams_[index];
  Command& command = commands_[slot];
  const Call& call = *command.call;
  const bool connected = uses_connection(call);
  if (connected && connections_[stream.connection].commands.front() != slot) return false;
  if (needs_grid(call)) {
    if (resident_grids_ >= spec_.front_end.max_resident_grids) {
      insert_once(grid_waiters_, index);
      return false;
    }
    ++resident_grids_;
  }
  command.cause = cause;
  command.ready = start_time(command, cause, context);
  ++stream.launched;
  note_launched(index, command);
  stream.triggered = false;
  stream.on_copy_engine = !connected;
  if (connected) leave_connection(index, command.ready, context);
  const Duration delay = command.ready - context.now();
  if (is<LaunchGraph>(call)) {
    stream.works.push_back(kNone);
    context.schedule(delay, gpu_events::event(gpu_events::kStartGraph, slot));
    return true;
  }
  const std::uint32_t work = command_work(slot, command.ready);
  works_[work].gated = stream.launched > 1;
  stream.works.push_back(work);
  begin_work(work, delay, context);
  return true;
}

// The next command of the connection may belong to another stream, which can then go on.
void Gpu::leave_connection(std::uint32_t index, Instant start, Context& context) {
  StreamQueue& stream = streams_[index];
  Connection& connection = connections_[stream.connection];
  connection.commands.pop_front();
  connection.free_at =
      std::max(connection.free_at, context.now()) + spec_.front_end.command_interval;
  --stream.queued;
  stream.held_until = start + spec_.front_end.connection_hold;
  if (connection.commands.empty()) return;
  pump(call_stream(commands_[connection.commands.front()]), WaitCause::kConnection, context);
}

Duration Gpu::launch_latency(const Call& call) const {
  const FrontEndSpec& spec = spec_.front_end;
  const auto more = static_cast<std::int64_t>(wiring_.connections) -
                    static_cast<std::int64_t>(spec.default_connections);
  const Duration extra = spec.launch_latency_per_connection * std::max<std::int64_t>(0, more);
  if (is<LaunchGraph>(call)) return spec.graph_launch_latency + extra;
  // Memsets by a kernel start as kernels do; of recorded ones the recording shows one latency.
  const auto* set = get_if<Memset>(call);
  const bool by_kernel =
      set == nullptr || (set->recorded == kModelled && set->bytes > wiring_.inline_memset_max);
  if (!by_kernel) return spec.memset_launch_latency + extra;
  return (uses_connection(call) ? spec.launch_latency : spec.copy_launch_latency) + extra;
}

// When a command that nothing holds up starts, and which of its conditions was the last to be met.
Instant Gpu::start_time(Command& command, WaitCause cause, Context& context) const {
  const FrontEndSpec& spec = spec_.front_end;
  const Call& call = *command.call;
  const StreamQueue& stream = streams_[command.stream];
  const bool connected = uses_connection(call);
  const Instant taken =
      connected ? std::max(context.now(), connections_[stream.connection].free_at) : context.now();
  const Instant submitted = command.arrived + launch_latency(call);
  Instant held = stream.earliest;
  if (stream.cause == WaitCause::kStreamOrder) {
    if (is<LaunchGraph>(call)) held += spec.graph_gap - spec.stream_gap;
    if (stream.on_copy_engine == connected && stream.ended > Instant()) held += spec.engine_hop;
  }
  if (stream.launched > 0) held = context.now() + spec.trigger_latency;
  if (cause == WaitCause::kResidentGrids) held = context.now() + spec.stream_gap;
  if (follows_at_once(call)) held = stream.ended;
  const Instant start = std::max({taken, submitted, held});
  if (start == submitted) {
    command.cause = WaitCause::kSubmission;
  } else if (start == held && cause != WaitCause::kResidentGrids) {
    command.cause = stream.cause;
  }
  return start;
}

// A command without work of its own is over: it leaves its stream and the host is told.
void Gpu::retire(std::uint32_t index, std::uint32_t slot, Context& context) {
  StreamQueue& stream = streams_[index];
  SEPTET_ASSERT(stream.launched == 0 && stream.commands.front() == slot);
  note_ended(index, commands_[slot]);
  stream.commands.pop_front();
  tell_host(index, context);
  commands_.give_back(slot);
}

void Gpu::tell_host(std::uint32_t stream, Context& context) {
  context.send(host_of(stream), spec_.front_end.completion_latency, command_complete(stream));
  client_completion(client_of_stream(stream), context);
}

// A launched command has ended: tells the host and looks at what it held up. `triggered`: its
// blocks had said early that dependents may be prepared, which shortens the gap.
void Gpu::complete(std::uint32_t slot, bool triggered, Context& context) {
  const std::uint32_t index = call_stream(commands_[slot]);
  StreamQueue& stream = streams_[index];
  SEPTET_ASSERT(stream.launched > 0 && stream.commands.front() == slot);
  note_ended(index, commands_[slot]);
  stream.commands.pop_front();
  stream.works.pop_front();
  --stream.launched;
  ++launches_ended_;
  tell_host(index, context);
  commands_.give_back(slot);
  const FrontEndSpec& spec = spec_.front_end;
  if (stream.launched > 0) return release(stream.works.front(), spec.release_latency, context);
  stream.ended = context.now();
  const Duration gap = triggered ? spec.triggered_stream_gap : spec.stream_gap;
  stream.earliest = context.now() + gap + client_gap();
  stream.cause = WaitCause::kStreamOrder;
  stream.triggered = false;
  pump(index, WaitCause::kStreamOrder, context);
}

// Room for one more resident grid: for a node of a running graph, else for a stream that waits.
void Gpu::grid_left(Context& context) {
  --resident_grids_;
  if (!nodes_waiting_.empty()) {
    const std::uint32_t work = nodes_waiting_.front();
    nodes_waiting_.pop_front();
    ++resident_grids_;
    return begin_work(work, Duration(0), context);
  }
  if (grid_waiters_.empty()) return;
  const std::uint32_t stream = grid_waiters_.front();
  grid_waiters_.erase(grid_waiters_.begin());
  pump(stream, WaitCause::kResidentGrids, context);
}

}  // namespace septet
