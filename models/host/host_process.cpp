#include "models/host/host_process.hpp"

#include <algorithm>
#include <utility>

#include "models/host/call_cost.hpp"

namespace septet::host {
namespace {

constexpr std::uint16_t kResume = program::kFirstInternalKind;

// What the call names, numbered over all threads: calls that threads share count from their own.
std::int32_t object_of(const program::HostThread& thread, const program::Call& call) {
  const std::uint32_t* object = index_in(call);
  if (object == nullptr || *object == kNone) return -1;
  if (event_in(call) != kNone) return static_cast<std::int32_t>(event_of(thread, call));
  const std::uint32_t offset =
      program::is<program::SynchronizeDevice>(call) ? thread.offsets.device : 0;
  return static_cast<std::int32_t>(*object + offset);
}

}  // namespace

HostProcess::HostProcess(const Wiring& wiring, std::uint32_t process)
    : wiring_(wiring),
      program_(wiring.program),
      spec_(wiring.spec),
      layout_(wiring.layout.processes[process]),
      traced_(layout_.devices.size() == 0 || layout_.devices[0] < wiring.traced_gpus),
      streams_(layout_.streams),
      events_(layout_.events) {
  for (const std::uint32_t thread : layout_.threads) {
    threads_.emplace_back().program_thread = thread;
  }
  signals_.resize(program_.signals);
  queues_.resize(program_.queues);
  graph_on_device_.assign(program_.graphs.size(), true);
}

const program::HostThread& HostProcess::program_thread(const ThreadState& thread) const {
  return program_.threads[thread.program_thread];
}

const program::Call& HostProcess::call_of(const ThreadState& thread) const {
  return calls_of(program_, program_thread(thread))[thread.next_call];
}

std::uint32_t HostProcess::stream_of(const ThreadState& thread, const program::Call& call) const {
  return septet::program::stream_of(program_thread(thread), call);
}

std::uint64_t HostProcess::nodes_of(std::uint32_t graph) const {
  return graph == kNone ? 0 : wiring_.graph_nodes[graph];
}

void HostProcess::start(engine::Context& context) {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) resume_at(t, Duration(0), context);
}

void HostProcess::handle(const engine::Event& event, engine::Context& context) {
  if (event.kind == program::kCommandComplete) {
    return complete(static_cast<std::uint32_t>(event.a), context);
  }
  if (event.kind == program::kItemDone)
    return item_done(static_cast<std::uint32_t>(event.a), context);
  SEPTET_ASSERT(event.kind == kResume);
  const auto thread = static_cast<std::uint32_t>(event.a);
  if (threads_[thread].phase != ThreadPhase::kReady) finish(thread, context);
  advance(thread, context);
}

// Runs calls until one takes time or blocks.
void HostProcess::advance(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  const std::size_t calls = calls_of(program_, program_thread(state)).size();
  while (state.next_call < calls) {
    state.call_begin = context.now();
    state.waited = Duration(0);
    if (!begin(thread, context)) return;
    finish(thread, context);
  }
  state.phase = ThreadPhase::kDone;
}

// Starts the thread's next call. True if it returns immediately.
bool HostProcess::begin(std::uint32_t thread, engine::Context& context) {
  const program::Call& call = call_of(threads_[thread]);
  switch (call.kind()) {
    case program::CallKind::kHostWork:
      return run_for(thread, program::as<program::HostWork>(call).duration, context);
    case program::CallKind::kPost:
      post(program::as<program::Post>(call).signal, context);
      return true;
    case program::CallKind::kAwait:
      return await(thread, context);
    case program::CallKind::kPushItem:
      return push_item(thread, context);
    case program::CallKind::kAwaitItems:
      return await_items(thread, context);
    case program::CallKind::kMarker:
    case program::CallKind::kScope:
      return true;
    case program::CallKind::kSynchronizeEvent:
    case program::CallKind::kSynchronizeStream:
    case program::CallKind::kSynchronizeDevice:
      return synchronize(thread, context);
    case program::CallKind::kApi:
    case program::CallKind::kInstantiateGraph: {
      const Duration cost = call_cost(spec_, call, nodes_of(graph_in(call)));
      if (const auto* made = program::get_if<program::InstantiateGraph>(call))
        graph_on_device_[made->graph] = false;
      return run_for(thread, locked_delay(thread, cost, context), context);
    }
    default:
      return submit(thread, context);
  }
}

void HostProcess::finish(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  const program::Call& call = call_of(state);
  const bool shown = shown_in_traces(call.kind());
  if (shown) extent_.add(state.call_begin, context.now());
  if (traced_ && shown) context.emit(wiring_.api_calls, record_of(state, context.now()));
  state.phase = ThreadPhase::kReady;
  ++state.next_call;
}

// The row of the thread's call.
records::ApiCallRecord HostProcess::record_of(const ThreadState& state, Instant end) const {
  const program::Call& call = call_of(state);
  records::ApiCallRecord out;
  out.start = state.call_begin;
  out.end = end;
  out.waited = state.waited;
  out.thread = static_cast<std::int32_t>(state.program_thread);
  if (uses_stream(call.kind())) out.stream = static_cast<std::int32_t>(stream_of(state, call));
  out.name = records::call_code(call.kind(), call.name);
  out.correlation = static_cast<std::int64_t>(call.correlation);
  out.kind = call.kind();
  out.call = static_cast<std::int64_t>(state.next_call);
  out.object = object_of(program_thread(state), call);
  out.manner = manner_of(call);
  return out;
}

void HostProcess::resume_at(std::uint32_t thread, Duration delay, engine::Context& context) {
  engine::Message message;
  message.kind = kResume;
  message.a = thread;
  context.schedule(delay, message);
}

bool HostProcess::run_for(std::uint32_t thread, Duration cost, engine::Context& context) {
  if (cost == Duration(0)) return true;
  threads_[thread].phase = ThreadPhase::kBusy;
  resume_at(thread, cost, context);
  return false;
}

// The call's CPU time plus the time until the driver lock is free. Threads get the lock in request
// order, so no queue is needed, only the time at which it becomes free.
Duration HostProcess::locked_delay(std::uint32_t thread, Duration cost, engine::Context& context) {
  const bool handed_over = lock_owner_ != thread && lock_free_ > context.now();
  const Duration handover = handed_over ? spec_.lock_handover : Duration(0);
  const Instant taken = std::max(context.now(), lock_free_) + handover;
  lock_free_ = taken + std::min(cost, spec_.driver_lock_time);
  lock_owner_ = thread;
  return taken - context.now() + cost;
}

// Extra cost of a submission beyond its steady cost, if the program does not give its cost.
Duration HostProcess::extra_cost(ThreadState& thread, const program::Call& call) const {
  if (program::is<program::RecordEvent>(call) || program::is<program::WaitEvent>(call) ||
      call.cost != program::kModelled) {
    return Duration(0);
  }
  Duration extra{};
  // Launching a graph takes equally long after a synchronisation and after another graph.
  if (thread.after_synchronization && !program::is<program::LaunchGraph>(call)) {
    extra += spec_.first_launch_extra;
    if (copied_by_kernel(spec_, call)) extra += spec_.first_device_copy_extra;
  }
  const std::uint32_t stream = stream_of(thread, call);
  if (thread.last_stream != stream && thread.last_stream != kNone) {
    extra += spec_.stream_switch_extra;
  }
  thread.after_synchronization = false;
  thread.last_stream = stream;
  return extra;
}

// The first launch of a graph that the program has instantiated uploads it, unless an explicit call
// already did. A graph that the program does not instantiate was launched before the program began.
Duration HostProcess::first_upload(const program::Call& call, std::uint32_t graph) {
  if (graph == kNone || graph_on_device_[graph]) return Duration(0);
  graph_on_device_[graph] = true;
  const bool included = program::is<program::UploadGraph>(call) || call.cost != program::kModelled;
  return included ? Duration(0) : graph_upload_cost(spec_, nodes_of(graph));
}

bool HostProcess::submit(std::uint32_t thread, engine::Context& context) {
  if (!admitted(thread, context)) return false;
  ThreadState& state = threads_[thread];
  const program::Call& call = call_of(state);
  const std::uint32_t graph = graph_in(call);
  const Duration cost =
      call_cost(spec_, call, nodes_of(graph)) + extra_cost(state, call) + first_upload(call, graph);
  const Duration delay = locked_delay(thread, cost, context);
  const Duration doorbell = call.submit == program::kModelled ? delay : delay - cost + call.submit;
  note_submission(state, call);
  const std::uint32_t stream = stream_of(state, call);
  context.send(wiring_.gpus[program_.streams[stream].device], doorbell + wiring_.doorbell_latency,
               program::submit_command({state.program_thread, state.next_call}, state.call_begin,
                                       generation(state, call)));
  state.earliest_return = context.now() + delay;
  if (!is_blocking(call)) return run_for(thread, delay, context);
  wait_for(thread, stream, streams_[stream].submitted);
  return settle(thread, context);
}

// True when the command fits into its stream's ring; else the thread waits for one to complete.
bool HostProcess::admitted(std::uint32_t thread, engine::Context& context) {
  ThreadState& state = threads_[thread];
  const program::Call& call = call_of(state);
  if (program::is<program::Hold>(call)) return true;  // part of the launch behind it
  StreamState& stream = streams_[stream_of(state, call)];
  if (stream.pending() < spec_.pending_launches_max) return true;
  state.phase = ThreadPhase::kAwaitingRing;
  state.blocked_since = context.now();
  stream.blocked_threads.push_back(thread);
  return false;
}

std::uint16_t HostProcess::generation(const ThreadState& thread, const program::Call& call) const {
  const bool event =
      program::is<program::RecordEvent>(call) || program::is<program::WaitEvent>(call);
  return event ? events_[event_of(program_thread(thread), call)].generation : std::uint16_t{0};
}

void HostProcess::note_submission(const ThreadState& thread, const program::Call& call) {
  if (program::is<program::Hold>(call)) return;
  const std::uint32_t index = stream_of(thread, call);
  StreamState& stream = streams_[index];
  ++stream.submitted;
  if (!program::is<program::RecordEvent>(call)) return;
  EventState& event = events_[event_of(program_thread(thread), call)];
  event.stream = index;
  event.sequence = stream.submitted;
  ++event.generation;
}

}  // namespace septet::host
