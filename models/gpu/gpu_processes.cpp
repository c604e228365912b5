// Processes that share the GPU: which one has it, and what a switch involves.
#include <algorithm>

#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_events.hpp"

namespace septet::gpu {

// The process whose time slice an event must wait for.
std::uint32_t Gpu::process_of(const engine::Event& event) const {
  const auto a = static_cast<std::uint32_t>(event.a);
  const auto of_command = [this](std::uint32_t command) {
    return front_end_.process_of(front_end_.command(command).stream);
  };
  switch (event.kind) {
    case program::kCollectiveDone:
    case events::kStartWork:
    case events::kEndWork:
      return execution_[a].owner;
    case events::kStartGraph:
      return of_command(a);
    case events::kNodeReady:
    case events::kHostNodeEnd:
      return of_command(graphs_.command(a));
    case events::kDispatchStream:
      return front_end_.process_of(a);
    case events::kCohortEnd:
    case events::kTrigger:
      return static_cast<std::uint32_t>(event.b);
    case events::kSharedDue:
      return a;
    default:
      return turns_.active();
  }
}

void Gpu::process_arrived(std::uint32_t process, engine::Context& context) {
  switch (turns_.arrived(process)) {
    case ProcessTurns::Arrival::kGetsGpu:
      return switch_in(process, context);
    case ProcessTurns::Arrival::kStartsSlice:
      return start_slice(context);
    case ProcessTurns::Arrival::kNothing:
      return;
  }
}

void Gpu::start_slice(engine::Context& context) {
  const auto end = turns_.start_slice(context.now());
  if (!end) return;
  context.schedule(*end - context.now(), events::event(events::kSliceEnd, turns_.turn()));
}

void Gpu::switch_out(engine::Context& context) {
  const std::uint32_t process = turns_.active();
  GridExecution& grids = execution_.grids(process);
  grids.suspend(context.now());
  const Duration change = turns_.switch_out(grids.resident_blocks(), context.now());
  context.schedule(change, events::event(events::kSwitchedOut, process));
}

void Gpu::switch_in(std::uint32_t process, engine::Context& context) {
  const ProcessTurns::Return back = turns_.switch_in(process, context.now());
  if (back.away) execution_.grids(process).resume(*back.away, context);
  for (const engine::Event& event : back.deferred) react(event, context);
  for (std::uint32_t i = 0; i < layout_.streams.size(); ++i) {
    const std::uint32_t stream = layout_.streams[i];
    if (front_end_.process_of(stream) == process)
      dispatch({stream, records::WaitCause::kProcess}, context);
  }
  if (turns_.others_wait(process)) start_slice(context);
}

// Time by which the front end is slower because other processes use the GPU as well (MPS).
Duration Gpu::process_gap() const {
  if (layout_.processes.size() < 2 || turns_.sliced()) return Duration(0);
  const auto others = static_cast<std::int64_t>(turns_.busy()) - 1;
  return environment_.spec.front_end.client_gap * std::max<std::int64_t>(0, others);
}

}  // namespace septet::gpu
