#include "models/gpu/gpu.hpp"

#include <utility>

#include "models/gpu/gpu_internal.hpp"

namespace septet {

Gpu::Gpu(const Program& program, const std::vector<CompiledGraph>& graphs, const GpuSpec& spec,
         Wiring wiring)
    : program_(program),
      graphs_(graphs),
      spec_(spec),
      wiring_(std::move(wiring)),
      distributor_(spec.distributor, spec.sm, spec.sm_count,
                   {gpu_events::kCohortEnd, gpu_events::kTrigger}),
      streams_(program.streams.size()),
      connections_(wiring_.connections),
      event_generation_(program.events, 0),
      event_waiters_(program.events),
      engine_free_(kCopyEngines) {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    streams_[s].connection = wiring_.connection[s];
  }
  for (const Kernel& kernel : program.kernels) {
    const bool recorded = std::holds_alternative<RecordedWork>(kernel.work);
    needs_.push_back(recorded ? BlockNeeds{} : block_needs(spec.sm, kernel));
  }
}

void Gpu::handle(const Event& event, Context& context) {
  const auto a = static_cast<std::uint32_t>(event.a);
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
      const std::optional<GridId> grid = distributor_.cohort_ended(event, context);
      if (grid) finish_grid(*grid, context);
      return;
    }
    case gpu_events::kStartGraph:
      return start_graph(a, context);
    case gpu_events::kNodeReady:
      return launch_node(a, static_cast<std::uint32_t>(event.b), context);
    case gpu_events::kPumpStream:
      return pump(a, WaitCause::kStreamOrder, context);
    case gpu_events::kTrigger:
      return trigger(grid_work_[a], context);
    default:
      SEPTET_ASSERT(!"unknown event");
  }
}

}  // namespace septet
