#include "models/gpu/execution/grid_execution.hpp"

#include "models/gpu/gpu_events.hpp"

namespace septet::gpu {

void GridExecution::admit(std::uint32_t id, GridRequest request, engine::Context& context) {
  Work& work = setup_.works[id];
  if (!blocks_) {
    const BlockScheduler::EventKinds kinds{events::kCohortEnd, events::kTrigger, owner_};
    const GpuSpec& gpu = setup_.gpu;
    blocks_ = std::make_unique<BlockScheduler>(gpu.block_scheduler, gpu.sm, gpu.sm_count, kinds);
  }
  request.priority = setup_.program.streams[work.stream].priority;
  request.within = &setup_.partitions.of(work.stream);
  work.grid = blocks_->admit(request, context);
  work.admitted = true;
  if (work.grid >= work_of_.size()) work_of_.resize(work.grid + 1, kNone);
  work_of_[work.grid] = id;
  if (blocks_->waited_for_room(work.grid)) {
    work.cause = records::WaitCause::kSmResources;
    schedule_shared(context);  // some of the running ones may have to yield
  }
}

void GridExecution::start_timed(std::uint32_t id, engine::Context& context) {
  Work& work = setup_.works[id];
  const std::vector<program::Kernel>& kernels = setup_.program.kernels;
  if (!shared_) {
    shared_ = std::make_unique<SharedRun>(setup_.gpu, setup_.partitions, kernels.size());
  }
  SharedRun::Start start;
  start.work = id;
  start.kernel = work.object;
  start.partition = setup_.partitions.set_of(work.stream);
  start.priority = setup_.program.streams[work.stream].priority;
  if (work.timed) start.recorded = work.duration;
  const program::Kernel& description = kernels[work.object];
  const TimedKernel& kernel = shared_->start(start, description, context.now());
  if (std::holds_alternative<program::OperatorWork>(description.work))
    work.blocks = kernel.shape.blocks();
  GridRequest request;
  request.blocks = kernel.at_once;
  request.needs = kernel.needs;
  request.held = true;
  admit(id, request, context);
  room_changed(context);
}

GridExecution::Outcome GridExecution::cohort_ended(const engine::Event& event,
                                                   engine::Context& context) {
  const GridId grid = blocks_->grid_of(event);
  const bool ended = blocks_->cohort_ended(event, context).has_value();
  room_changed(context);
  if (!ended) return {kNone, work_of_[grid]};
  setup_.works[work_of_[grid]].start = blocks_->started(grid);
  return {work_of_[grid], kNone};
}

// Tells the kernels timed as a whole which blocks have been placed since.
void GridExecution::room_changed(engine::Context& context) {
  const std::vector<GridId>& grown = blocks_->grown();
  if (grown.empty()) return;
  for (const GridId grid : grown) {
    Work& work = setup_.works[work_of_[grid]];
    work.start = blocks_->started(grid);
    const Duration delay = std::max(Duration(0), work.start - context.now());
    shared_->set_blocks(work_of_[grid], blocks_->running(grid), delay, context.now());
  }
  blocks_->grown_seen();
  schedule_shared(context);
}

// Reschedules the next event; the previously scheduled one is recognised by its generation.
void GridExecution::schedule_shared(engine::Context& context) {
  if (!shared_ || shared_->empty()) return;
  ++generation_;
  const auto due = shared_->next(blocks_->most_urgent_waiting(), context.now());
  if (!due) return;
  due_ = *due;
  context.schedule(
      due->in, events::event(events::kSharedDue, owner_, generation_, engine::Phase::kCompletion));
}

std::uint32_t GridExecution::shared_due(std::uint64_t generation, engine::Context& context) {
  if (generation != generation_) return kNone;  // something changed in between
  const SharedRun::Due due = due_;
  const GridId grid = setup_.works[due.work].grid;
  shared_->reach(due, context.now());
  switch (due.kind) {
    case SharedRun::DueKind::kEnd:
      shared_->end(due.work, context.now());
      blocks_->end_held(grid, context);
      break;
    case SharedRun::DueKind::kLastWave:
      blocks_->shrink_held(grid, shared_->begin_last_wave(due.work, context.now()), context);
      break;
    case SharedRun::DueKind::kTurnOver:
      blocks_->turn_over_held(grid, context);
      break;
  }
  const bool ended = due.kind == SharedRun::DueKind::kEnd;
  if (!ended) {
    shared_->set_blocks(due.work, blocks_->running(grid), Duration(0), context.now());
  }
  room_changed(context);
  schedule_shared(context);
  return ended ? due.work : kNone;
}

void GridExecution::suspend(Instant now) {
  if (shared_) shared_->pause(now);
  ++generation_;
}

void GridExecution::resume(Duration away, engine::Context& context) {
  if (blocks_) blocks_->add_frozen(away);
  if (shared_) shared_->resume(context.now());
  schedule_shared(context);
}

}  // namespace septet::gpu
