#include "models/gpu/gpu.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {
namespace {

// A block of a collective's kernel, as NCCL 2.27 launches them for the Simple protocol: 512 threads
// and what copies, and the registers to which its kernels are bound.
constexpr LaunchShape kCollectiveShape{{1, 1, 1}, {544, 1, 1}, 96, {}, {}, {1, 1, 1}};

// The others are timed as a whole.
bool placed_by_block(const Kernel& kernel) {
  return std::holds_alternative<FixedBlockWork>(kernel.work) ||
         std::holds_alternative<PersistentWork>(kernel.work);
}

}  // namespace

BlockNeeds Gpu::Wiring::needs_of(const Kernel& kernel, bool several_kinds) {
  impossible.emplace_back();
  if (!placed_by_block(kernel)) return {};
  try {
    return block_needs(spec.sm, kernel);
  } catch (const ModelError& error) {
    if (!several_kinds) throw;
    impossible.back() = error.what();
    return {};
  }
}

void Gpu::Wiring::describe_kernels(bool several_kinds) {
  for (const Kernel& kernel : program.kernels) {
    needs.push_back(needs_of(kernel, several_kinds));
    const bool recorded = std::holds_alternative<RecordedWork>(kernel.work);
    takes_room = takes_room || !recorded || recorded_share;
  }
  if (program.collectives.empty()) return;
  collective_needs = block_needs(spec.sm, {"collective", kCollectiveShape, {}, {}});
}

Gpu::Gpu(const Wiring& wiring, std::uint32_t device)
    : wiring_(wiring),
      program_(wiring.program),
      graphs_(wiring.graphs),
      spec_(wiring.spec),
      layout_(wiring.layout.devices[device]),
      device_(device),
      partitions_(partition_sms(program_, spec_, device, wiring.sm_shares)),
      clients_(layout_.processes.size()),
      queues_(program_.queues),
      streams_(layout_.streams),
      connections_(std::size_t{wiring.connections} * layout_.processes.size()),
      events_(layout_.awaited_events),
      grid_work_(layout_.processes.size()),
      horizon_(wiring.horizons == nullptr ? nullptr : wiring.horizons->of(device)),
      progress_(horizon_ == nullptr ? 0 : layout_.streams.size()) {
  if (sliced()) active_ = kNone;
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
    case kCollectiveDone:
      return collective_done(a, Instant(static_cast<std::int64_t>(event.b)), context);
    case gpu_events::kStartWork:
      return start_work(a, context);
    case gpu_events::kEndWork:
      return end_work(a, context);
    case gpu_events::kCohortEnd: {
      const auto owner = static_cast<std::uint32_t>(event.b);
      Distributor& distributor = *clients_[owner].distributor;
      const GridId of = distributor.grid_of(event);
      const auto ended = distributor.cohort_ended(event, context);
      room_changed(owner, context);
      return ended ? finish_grid(owner, *ended, context) : blocks_at_gate(owner, of, context);
    }
    case gpu_events::kSharedDue:
      return shared_due(a, event.b, context);
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
