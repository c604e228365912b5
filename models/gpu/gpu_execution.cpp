// Kernels and copies while they run.
#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/copy_time.hpp"
#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {
namespace {

constexpr std::size_t kToDevice = 0;
constexpr std::size_t kFromDevice = 1;

// Kernels set and copy inside the device, the CPU in its own memory.
bool needs_engine(const Work& work) {
  return !work.memset && (work.direction == CopyDirection::kHostToDevice ||
                          work.direction == CopyDirection::kDeviceToHost);
}

// Start-up and transfer of a copy or memset that has its path for itself.
Duration time_alone(const GpuSpec& gpu, ByteRate host_copy_rate, const Work& work) {
  if (work.inlined) return Duration(0);
  if (work.memset) return memset_time(gpu, work.bytes);
  if (work.direction == CopyDirection::kHostToHost) {
    return transfer_time(work.bytes, host_copy_rate);
  }
  return copy_time(gpu, work.direction, work.bytes, work.pinned);
}

// Of a collective: from its start until its last rank was there; of other kernels -1.
Duration waited_of(const Work& work) {
  if (!work.is_collective) return Duration(-1);
  return std::max(Duration(0), work.complete - work.start);
}

}  // namespace

std::uint32_t Gpu::command_work(std::uint32_t slot, Instant start) {
  const Command& command = commands_[slot];
  const Call& call = *command.call;
  const std::uint32_t id = works_.take();
  Work& work = works_[id];
  work = Work{};
  work.command = slot;
  work.takes(call);
  work.inlined = work.memset ? work.bytes <= wiring_.inline_memset_max
                             : work.direction == CopyDirection::kHostToDevice &&
                                   work.bytes <= wiring_.inline_copy_max;
  work.ready = start;
  work.cause = command.cause;
  return id;
}

// Starts work `delay` from now.
void Gpu::begin_work(std::uint32_t id, Duration delay, Context& context) {
  Work& work = works_[id];
  work.begun = context.now() + delay;
  if (metered(work)) activity_.begins(work.begun);
  const bool shared = wiring_.recorded_share && work.is_kernel;
  if (!work.timed || shared) {
    return context.schedule(delay, gpu_events::event(gpu_events::kStartWork, id));
  }
  work.start = context.now() + delay;
  context.schedule(delay + work.duration,
                   gpu_events::event(gpu_events::kEndWork, id, 0, Phase::kCompletion));
}

const BlockNeeds& Gpu::needs_of(std::uint32_t kernel) const {
  const std::string& why = wiring_.impossible[kernel];
  if (!why.empty()) throw ModelError(fmt::format("gpu[{}] ({}): {}", device_, spec_.name, why));
  return wiring_.needs[kernel];
}

void Gpu::start_work(std::uint32_t id, Context& context) {
  Work& work = works_[id];
  if (!work.is_kernel) return start_copy(work, id, context);
  if (work.is_collective) return start_collective(id, context);
  const Kernel& kernel = program_.kernels[work.object];
  const bool by_instructions = std::holds_alternative<InstructionWork>(kernel.work);
  const bool by_operator = std::holds_alternative<OperatorWork>(kernel.work);
  if (work.timed || by_instructions || by_operator) return start_shared(id, context);
  GridRequest request;
  request.blocks = kernel.shape.blocks();
  request.needs = needs_of(work.object);
  const std::uint32_t stream = call_stream(commands_[work.command]);
  request.priority = program_.streams[stream].priority;
  request.within = &partitions_.of(stream);
  request.gated = work.gated;
  const auto* persistent = std::get_if<PersistentWork>(&kernel.work);
  if (persistent != nullptr) {
    request.gated = true;  // its blocks stay until the last item is done
  } else {
    const FixedBlockWork& blocks = std::get<FixedBlockWork>(kernel.work);
    request.block_time = blocks.block_time;
    request.by_clock = blocks.by_clock;
    request.triggers = blocks.triggers;
    request.prologue = blocks.prologue;
  }
  admit(id, request, context);
  if (work.released != Instant::max())
    distributor_of(work).release(work.grid, work.released, context);
  if (persistent != nullptr) start_persistent(id, *persistent, context);
}

// Hands the blocks of a kernel to the distributor.
void Gpu::admit(std::uint32_t id, const GridRequest& request, Context& context) {
  Work& work = works_[id];
  const std::uint32_t owner = owner_of(call_stream(commands_[work.command]));
  Distributor& distributor = distributor_of(work);
  work.grid = distributor.admit(request, context);
  work.admitted = true;
  std::vector<std::uint32_t>& works = grid_work_[owner];
  if (work.grid >= works.size()) works.resize(work.grid + 1, kNone);
  works[work.grid] = id;
  if (distributor.waited_for_room(work.grid)) {
    work.cause = WaitCause::kRoom;
    schedule_shared(owner, context);  // some of those that run may have to make room
  }
}

// Whose distributor places the blocks of a stream: with MPS all processes share one.
std::uint32_t Gpu::owner_of(std::uint32_t stream) const {
  return sliced() ? client_of_stream(stream) : 0;
}

Distributor& Gpu::distributor_of(const Work& work) {
  const std::uint32_t owner = owner_of(call_stream(commands_[work.command]));
  std::unique_ptr<Distributor>& distributor = clients_[owner].distributor;
  if (!distributor) {
    const Distributor::EventKinds kinds{gpu_events::kCohortEnd, gpu_events::kTrigger, owner};
    distributor = std::make_unique<Distributor>(spec_.distributor, spec_.sm, spec_.sm_count, kinds);
  }
  return *distributor;
}

void Gpu::start_copy(Work& work, std::uint32_t id, Context& context) {
  work.start = context.now();
  work.duration = time_alone(spec_, wiring_.host_copy_rate, work);
  if (needs_engine(work)) {
    const bool from = work.direction == CopyDirection::kDeviceToHost;
    Instant& engine = engine_free_[from ? kFromDevice : kToDevice];
    work.start = std::max(work.start, engine);
    engine = work.start + work.duration;
  }
  context.schedule(work.start + work.duration - context.now(),
                   gpu_events::event(gpu_events::kEndWork, id, 0, Phase::kCompletion));
}

// All blocks of a kernel are through their prologue: its programmatic dependents may start.
void Gpu::trigger(std::uint32_t id, Context& context) {
  Work& work = works_[id];
  work.triggered = true;
  if (work.graph_run != kNone) return trigger_node(work.graph_run, work.node, context);
  const std::uint32_t index = call_stream(commands_[work.command]);
  StreamQueue& stream = streams_[index];
  if (stream.works.back() != id) return;
  stream.triggered = true;
  pump(index, WaitCause::kStreamOrder, context);
}

// The kernel before a gated one has ended.
void Gpu::release(std::uint32_t id, Duration latency, Context& context) {
  Work& work = works_[id];
  work.released = context.now() + latency;
  if (work.admitted) distributor_of(work).release(work.grid, work.released, context);
}

void Gpu::finish_grid(std::uint32_t owner, GridId grid, Context& context) {
  const std::uint32_t id = grid_work_[owner][grid];
  works_[id].start = clients_[owner].distributor->started(grid);
  end_work(id, context);
}

void Gpu::end_work(std::uint32_t id, Context& context) {
  const Work work = works_[id];
  emit(work, context);
  if (metered(work)) meter(work, context.now());
  works_.give_back(id);
  if (work.is_kernel) grid_left(context);
  if (work.graph_run != kNone) {
    return end_node(work.graph_run, work.node, work.triggered, context);
  }
  complete(work.command, work.triggered, context);
}

std::uint64_t Gpu::blocks_of(const Work& work) const {
  if (work.is_collective) return wiring_.sites[work.site].plan.channels;
  return work.blocks > 0 ? work.blocks : program_.kernels[work.object].shape.blocks();
}

// Notes what kernel has run until `end`.
void Gpu::meter(const Work& work, Instant end) {
  if (!work.is_collective) {
    activity_.add(ActivityKind::kCompute, work.start, end);
  } else {
    const bool pair = point_to_point(program_.collectives[work.object].op);
    activity_.add(pair ? ActivityKind::kWaitingForPeer : ActivityKind::kWaiting, work.start,
                  work.complete);
    activity_.add(ActivityKind::kMoving, std::max(work.start, work.complete), end);
  }
  activity_.ended(work.begun, end);
}

void Gpu::emit(const Work& work, Context& context) {
  if (shown_by_items(work)) return;
  extent_.add(work.start, context.now());
  if (!traced()) return;
  const GpuRecord origin = record_of(work, context.now());
  if (!work.is_kernel) {
    const CopyKind kind = work.memset ? CopyKind::kMemset : copy_kind(work.direction);
    return context.emit(wiring_.copies, CopyRecord{origin, kind, work.bytes});
  }
  const std::int32_t name = work.is_collective ? wiring_.collective_codes[work.object]
                                               : wiring_.kernel_codes[work.object];
  const auto blocks = static_cast<std::int64_t>(blocks_of(work));
  context.emit(wiring_.kernels, KernelRecord{origin, name, blocks, waited_of(work)});
}

// What rows of kernels and of copies say.
GpuRecord Gpu::record_of(const Work& work, Instant end) const {
  const Command& command = commands_[work.command];
  const Call& call = *command.call;
  const GraphNode* node =
      work.node == kNone ? nullptr : &graphs_[as<LaunchGraph>(call).graph].nodes()[work.node];
  const bool own = node != nullptr && node->correlation != 0;
  GpuRecord out;
  out.issued = command.issued;
  out.arrived = command.arrived;
  out.ready = work.ready;
  out.start = work.start;
  out.end = end;
  out.stream = static_cast<std::int32_t>(command.stream);
  out.device = static_cast<std::int32_t>(device_);
  out.cause = work.cause;
  out.thread = static_cast<std::int32_t>(command.name.thread);
  out.call = static_cast<std::int64_t>(command.name.call);
  if (node != nullptr) out.node = static_cast<std::int32_t>(work.node);
  out.correlation = static_cast<std::int64_t>(own ? node->correlation : call.correlation);
  return out;
}

}  // namespace septet
