#include "models/gpu/gpu.hpp"

#include <algorithm>
#include <utility>

#include "models/gpu/gpu_internal.hpp"

namespace septet {
namespace {

// The events that streams of a device wait for.
std::vector<bool> awaited_events(const Program& program, std::uint32_t device) {
  std::vector<bool> awaited(program.events, false);
  for (const HostThread& thread : program.threads) {
    for (const Call& call : thread.calls) {
      if (call.kind != CallKind::kWaitEvent) continue;
      if (program.streams[call.stream].device == device) awaited[call.object] = true;
    }
  }
  return awaited;
}

}  // namespace

Gpu::Gpu(const Program& program, const std::vector<CompiledGraph>& graphs, const GpuSpec& spec,
         Wiring wiring)
    : program_(program),
      graphs_(graphs),
      spec_(spec),
      wiring_(std::move(wiring)),
      partitions_(partition_sms(program, spec_, wiring_.device, wiring_.sm_shares)),
      shared_run_(spec_),
      streams_(program.streams.size()),
      connections_(wiring_.connections),
      events_(program.events),
      event_awaited_(awaited_events(program, wiring_.device)),
      event_waiters_(program.events),
      engine_free_(kCopyEngines),
      grid_work_(program.processes) {
  const std::uint32_t clients = std::max(1U, program.processes);
  for (std::uint32_t p = 0; p < clients; ++p) {
    const Distributor::EventKinds kinds{gpu_events::kCohortEnd, gpu_events::kTrigger, p};
    clients_.emplace_back(Distributor(spec.distributor, spec.sm, spec.sm_count, kinds));
  }
  queues_.resize(program.queues);
  if (sliced()) active_ = kNone;
  for (const Kernel& kernel : program.kernels) {
    const bool roomless = std::holds_alternative<RecordedWork>(kernel.work) ||
                          std::holds_alternative<InstructionWork>(kernel.work);
    recorded_shares_.push_back(wiring_.recorded_share ? recorded_share(spec, kernel.shape)
                                                      : RecordedShare{});
    needs_.push_back(roomless ? BlockNeeds{} : block_needs(spec.sm, kernel));
  }
}

void Gpu::handle(const Event& event, Context& context) {
  if (!deferred(event)) dispatch(event, context);
}

void Gpu::dispatch(const Event& event, Context& context) {
  const auto a = static_cast<std::uint32_t>(event.a);
  if (event.kind != gpu_events::kSliceEnd && event.kind != gpu_events::kSwitchedIn) {
    idle_turns_ = 0;
  }
  switch (event.kind) {
    case kSubmitCommand:
      return arrive(event, context);
    case kEventRecorded:
      return event_done(a, event.tag, context);
    case gpu_events::kStartWork:
      return start_work(a, context);
    case gpu_events::kEndWork:
      return end_work(a, context);
    case gpu_events::kCohortEnd: {
      const auto owner = static_cast<std::uint32_t>(event.b);
      const GridId of = clients_[owner].distributor.grid_of(event);
      const auto ended = clients_[owner].distributor.cohort_ended(event, context);
      return ended ? finish_grid(owner, *ended, context) : blocks_at_gate(owner, of, context);
    }
    case gpu_events::kModelledEnd:
      return modelled_ended(a, event.b, context);
    case gpu_events::kStartGraph:
      return start_graph(a, context);
    case gpu_events::kNodeReady:
      return launch_node(a, static_cast<std::uint32_t>(event.b), context);
    case gpu_events::kHostNodeEnd:
      return end_node(a, static_cast<std::uint32_t>(event.b), false, context);
    case gpu_events::kPumpStream:
      return pump(a, WaitCause::kStreamOrder, context);
    case gpu_events::kTrigger:
      return trigger(grid_work_[event.b][a], context);
    case kItemPushed:
      return item_pushed(event, context);
    case gpu_events::kItemEnd:
      return item_ended(a, Instant(static_cast<std::int64_t>(event.b)), context);
    case gpu_events::kSliceEnd:
      return slice_ended(event.a, context);
    case gpu_events::kSwitchedIn:
      return switched_in(a, context);
    default:
      SEPTET_ASSERT(!"unknown event");
  }
}

}  // namespace septet
