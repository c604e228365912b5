// Kernels that are timed as a whole: the distributor gives them room, and they end when their share
// of the GPU has done their work.
#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {

SharedRun& Gpu::shared_run_of(std::uint32_t owner) {
  std::unique_ptr<SharedRun>& shared = clients_[owner].shared;
  if (!shared) shared = std::make_unique<SharedRun>(spec_, partitions_, program_.kernels.size());
  return *shared;
}

void Gpu::start_shared(std::uint32_t id, Context& context) {
  Work& work = works_[id];
  const std::uint32_t stream = call_stream(commands_[work.command]);
  const std::uint32_t owner = owner_of(stream);
  SharedRun::Start start;
  start.work = id;
  start.kernel = work.object;
  start.partition = partitions_.set_of(stream);
  start.priority = program_.streams[stream].priority;
  if (work.timed) start.recorded = work.duration;
  const TimedKernel& kernel =
      shared_run_of(owner).start(start, program_.kernels[work.object], context.now());
  if (std::holds_alternative<OperatorWork>(program_.kernels[work.object].work)) {
    work.blocks = kernel.shape.blocks();
  }
  GridRequest request;
  request.blocks = kernel.at_once;
  request.needs = kernel.needs;
  request.within = &partitions_.of(stream);
  request.priority = start.priority;
  request.held = true;
  admit(id, request, context);
  room_changed(owner, context);
}

// Tells the kernels timed as a whole which blocks found room meanwhile.
void Gpu::room_changed(std::uint32_t owner, Context& context) {
  Client& client = clients_[owner];
  Distributor& distributor = *client.distributor;
  const std::vector<GridId>& grown = distributor.grown();
  if (grown.empty()) return;
  for (const GridId grid : grown) {
    Work& work = works_[grid_work_[owner][grid]];
    work.start = distributor.started(grid);
    const Duration delay = std::max(Duration(0), work.start - context.now());
    client.shared->set_blocks(grid_work_[owner][grid], distributor.running(grid), delay,
                              context.now());
  }
  distributor.grown_seen();
  schedule_shared(owner, context);
}

// Schedules what happens next anew; what was scheduled before is recognised by its generation.
void Gpu::schedule_shared(std::uint32_t owner, Context& context) {
  Client& client = clients_[owner];
  if (!client.shared || client.shared->empty()) return;
  ++client.shared_generation;
  const auto due = client.shared->next(client.distributor->most_urgent_waiting(), context.now());
  if (!due) return;
  client.due = *due;
  context.schedule(due->in, gpu_events::event(gpu_events::kSharedDue, owner,
                                              client.shared_generation, Phase::kCompletion));
}

void Gpu::shared_due(std::uint32_t owner, std::uint64_t generation, Context& context) {
  Client& client = clients_[owner];
  if (generation != client.shared_generation) return;  // something changed in between
  SharedRun& shared = *client.shared;
  Distributor& distributor = *client.distributor;
  const SharedRun::Due due = client.due;
  const GridId grid = works_[due.work].grid;
  shared.reach(due, context.now());
  switch (due.kind) {
    case SharedRun::DueKind::kEnd:
      shared.end(due.work, context.now());
      distributor.end_held(grid, context);
      break;
    case SharedRun::DueKind::kLastWave:
      distributor.shrink_held(grid, shared.begin_last_wave(due.work, context.now()), context);
      break;
    case SharedRun::DueKind::kTurnOver:
      distributor.turn_over_held(grid, context);
      break;
  }
  if (due.kind != SharedRun::DueKind::kEnd) {
    shared.set_blocks(due.work, distributor.running(grid), Duration(0), context.now());
  }
  room_changed(owner, context);
  schedule_shared(owner, context);
  if (due.kind == SharedRun::DueKind::kEnd) end_work(due.work, context);
}

}  // namespace septet
