#include "models/gpu/gpu.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "models/gpu/blocked_work.hpp"
#include "models/gpu/gpu_events.hpp"

namespace septet::gpu {
namespace {

std::size_t owners_of(const ProcessTurns& turns, const program::DeviceLayout& layout) {
  return turns.sliced() ? layout.processes.size() : 1;
}

}  // namespace

Gpu::Gpu(const GpuEnvironment& environment, std::uint32_t device)
    : environment_(environment),
      layout_(environment.layout.devices[device]),
      turns_(environment.spec.time_slice, layout_.processes.size(), environment.mps),
      front_end_(environment.front_end, layout_),
      graphs_(environment.spec.front_end, environment.graphs),
      execution_(environment.execution, device, environment.sm_shares, owners_of(turns_, layout_)),
      horizon_(environment.horizons == nullptr ? nullptr : environment.horizons->of(device),
               layout_.streams),
      log_(environment, device),
      persistent_(environment, execution_, log_),
      collectives_(environment, device, execution_, horizon_) {}

void Gpu::handle(const engine::Event& event, engine::Context& context) {
  if (turns_.sliced() && turns_.defer(process_of(event), event)) return;
  react(event, context);
}

void Gpu::react(const engine::Event& event, engine::Context& context) {
  const auto a = static_cast<std::uint32_t>(event.a);
  const auto b = static_cast<std::uint32_t>(event.b);
  const Instant time(static_cast<std::int64_t>(event.b));
  const bool change = event.kind == events::kSliceEnd || event.kind == events::kSwitchedOut;
  if (!change) turns_.progressed();
  switch (event.kind) {
    case program::kSubmitCommand:
      return arrive(event, context);
    case program::kEventRecorded:
      return event_recorded(a, event.tag, context);
    case events::kDispatchStream:
      return dispatch({a, records::WaitCause::kStreamOrder}, context);
    case events::kStartWork:
      return start_work(a, context);
    case events::kCohortEnd:
      return cohort_ended(event, context);
    case events::kSharedDue: {
      const std::uint32_t ended = execution_.grids(a).shared_due(event.b, context);
      return ended == kNone ? void() : end_work(ended, context);
    }
    case events::kTrigger:
      return trigger(execution_.grids(b).work_of(a), context);
    case events::kEndWork:
      return end_work(a, context);
    case program::kCollectiveDone:
      return collectives_.done(a, time, context) ? end_work(a, context) : void();
    case events::kStartGraph:
      return start_graph(a, context);
    case events::kNodeReady:
      return launch_node(a, b, context);
    case events::kHostNodeEnd:
      return end_node(a, b, false, context);
    case program::kItemPushed:
      return persistent_.item_pushed(event, context);
    case events::kItemEnd:
      return persistent_.item_ended(a, time, context);
    case events::kSliceEnd:
      return turns_.in_turn(event.a) ? switch_out(context) : void();
    case events::kSwitchedOut: {
      const std::uint32_t next = turns_.switched_out(a);
      return next == kNone ? void() : switch_in(next, context);
    }
    default:
      SEPTET_ASSERT(!"unknown event");
  }
}

// The path of a launch.

void Gpu::arrive(const engine::Event& event, engine::Context& context) {
  const std::uint32_t command = front_end_.arrive(event, context.now());
  const std::uint32_t stream = front_end_.command(command).stream;
  const std::uint32_t process = front_end_.process_of(stream);
  process_arrived(process, context);
  if (turns_.has_gpu(process)) dispatch({stream, records::WaitCause::kSubmission}, context);
}

// Takes commands of a stream, and of the streams that this unblocks, until all must wait.
void Gpu::dispatch(const StreamTurn& turn, engine::Context& context) {
  if (!front_end_.consider(turn)) return;
  using Kind = FrontEnd::StepKind;
  for (;;) {
    const FrontEnd::Step step = front_end_.next(turns_, context.now());
    switch (step.kind) {
      case Kind::kLaunch:
        launch(step.command, context);
        break;
      case Kind::kRecord:
        record(step.command, context);
        break;
      case Kind::kPass:
        retire(step.command, context);
        break;
      case Kind::kLookAgain:
        context.schedule(
            step.at - context.now(),
            events::event(events::kDispatchStream, front_end_.command(step.command).stream));
        break;
      case Kind::kNone:
        return;
    }
  }
}

void Gpu::launch(std::uint32_t slot, engine::Context& context) {
  const Command& command = front_end_.command(slot);
  const Instant start = command.ready + command.held;
  horizon_.launched(command.stream, command.name.call, start);
  const Duration delay = start - context.now();
  if (program::is<program::LaunchGraph>(*command.call)) {
    front_end_.runs(command.stream, kNone);
    return context.schedule(delay, events::event(events::kStartGraph, slot));
  }
  Work work = work_of(*command.call, environment_.inline_copy_max,
                      environment_.front_end.inline_memset_max);
  work.ready = command.ready;
  work.cause = command.cause;
  work.gated = front_end_.stream(command.stream).launched > 1;
  const std::uint32_t id = add_work(work, slot);
  front_end_.runs(command.stream, id);
  begin_work(id, delay, context);
}

std::uint32_t Gpu::add_work(Work& work, std::uint32_t command) {
  work.command = command;
  work.stream = front_end_.command(command).stream;
  work.owner = turns_.sliced() ? front_end_.process_of(work.stream) : 0;
  return execution_.add(work);
}

void Gpu::begin_work(std::uint32_t id, Duration delay, engine::Context& context) {
  execution_.begin(id, delay, context);
  log_.begins(execution_[id]);
}

void Gpu::start_work(std::uint32_t id, engine::Context& context) {
  const Work& work = execution_[id];
  if (work.is_collective()) {
    const std::uint32_t thread = front_end_.command(work.command).name.thread;
    return collectives_.start(id, environment_.program.threads[thread], context);
  }
  execution_.start(id, context);
  const program::PersistentWork* persistent = persistent_.description_of(work);
  if (persistent != nullptr) persistent_.start(id, *persistent, context);
}

void Gpu::cohort_ended(const engine::Event& event, engine::Context& context) {
  const auto owner = static_cast<std::uint32_t>(event.b);
  const auto outcome = execution_.grids(owner).cohort_ended(event, context);
  if (outcome.ended != kNone) return end_work(outcome.ended, context);
  const Work& work = execution_[outcome.at_gate];
  if (work.is_collective()) return collectives_.join(outcome.at_gate, context);
  const program::PersistentWork* persistent = persistent_.description_of(work);
  if (persistent != nullptr) persistent_.blocks_at_gate(outcome.at_gate, *persistent, context);
}

// All blocks of a kernel have finished their prologue: its programmatic dependents may start.
void Gpu::trigger(std::uint32_t id, engine::Context& context) {
  Work& work = execution_[id];
  work.triggered = true;
  if (work.graph_run != kNone) {
    graphs_.trigger(work.graph_run, work.node, context.now());
    return follow(work.graph_run, context);
  }
  if (!front_end_.trigger(work.stream, id)) return;
  dispatch({work.stream, records::WaitCause::kStreamOrder}, context);
}

void Gpu::end_work(std::uint32_t id, engine::Context& context) {
  const Work work = execution_[id];
  const program::PersistentWork* persistent = persistent_.description_of(work);
  const bool by_items =
      persistent != nullptr && persistent_.queues().shows_items(persistent->queue);
  log_.ended(work, front_end_.command(work.command), !by_items, context);
  execution_.remove(id);
  if (work.is_kernel()) grid_left(context);
  if (work.graph_run != kNone) {
    return end_node(work.graph_run, work.node, work.triggered, context);
  }
  complete(work.command, work.triggered, context);
}

void Gpu::grid_left(engine::Context& context) {
  const ResidentGrids::Next next = front_end_.grids().leave();
  if (next.node != kNone) return begin_work(next.node, Duration(0), context);
  if (next.stream != kNone) dispatch({next.stream, records::WaitCause::kResidentGrids}, context);
}

// A launched command has ended. `triggered`: its blocks had triggered early.
void Gpu::complete(std::uint32_t command, bool triggered, engine::Context& context) {
  const std::uint32_t stream = front_end_.command(command).stream;
  ++launches_ended_;
  retire(command, context);
  const std::uint32_t waits = front_end_.started_early(stream);
  if (waits != kNone) {
    const Instant at = context.now() + environment_.spec.front_end.release_latency;
    return execution_.release(waits, at, context);
  }
  front_end_.stream_ended(stream, triggered, process_gap(), context.now());
  dispatch({stream, records::WaitCause::kStreamOrder}, context);
}

// A command is done: the host is notified, unless it was a hold, which takes no place in a ring.
void Gpu::retire(std::uint32_t slot, engine::Context& context) {
  const std::uint32_t stream = front_end_.command(slot).stream;
  const bool counts = !program::is<program::Hold>(*front_end_.command(slot).call);
  horizon_.ended(stream, front_end_.command(slot).name.call);
  front_end_.leave(slot);
  if (counts) {
    context.send(environment_.hosts[environment_.program.streams[stream].process],
                 environment_.spec.front_end.completion_latency, program::command_complete(stream));
  }
  if (turns_.completed(front_end_.process_of(stream))) switch_out(context);
}

// Events: a record releases the streams that wait for it, here and on other GPUs.

void Gpu::record(std::uint32_t slot, engine::Context& context) {
  const Command command = front_end_.command(slot);
  const std::uint32_t event = front_end_.event_of(command);
  const auto& listeners = layout_.listeners;
  auto listener =
      std::lower_bound(listeners.begin(), listeners.end(), program::EventListener{event, 0});
  for (; listener != listeners.end() && listener->event == event; ++listener) {
    context.send(environment_.gpus[listener->device], environment_.peer_latency,
                 septet::program::event_recorded(event, command.generation));
  }
  const Instant earliest = front_end_.stream(command.stream).earliest;
  log_.recorded(event, command.stream, std::max(context.now(), earliest), context);
  retire(slot, context);
  event_recorded(event, command.generation, context);
}

void Gpu::event_recorded(std::uint32_t event, std::uint16_t generation, engine::Context& context) {
  const std::vector<std::uint32_t> waited = front_end_.events().record(event, generation);
  for (std::size_t turn = 0; turn < waited.size(); ++turn) {
    dispatch({waited[turn], records::WaitCause::kEvent, front_end_.events().latency(turn)},
             context);
  }
}

BlockedWork Gpu::blocked_work() const {
  return {environment_, layout_, turns_, front_end_, execution_, persistent_};
}

std::vector<program::Waiting> Gpu::waiting() const { return blocked_work().waiting(); }

program::QueueState Gpu::queue_state(std::uint32_t queue) const {
  return blocked_work().queue_state(queue);
}

}  // namespace septet::gpu
