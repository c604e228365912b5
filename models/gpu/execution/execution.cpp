#include "models/gpu/execution/execution.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/gpu_events.hpp"

namespace septet::gpu {

Execution::Execution(const Setup& setup, std::uint32_t device, const std::vector<double>& sm_shares,
                     std::size_t owners)
    : setup_(setup),
      device_(device),
      partitions_(partition_sms(setup.program, setup.gpu, device, sm_shares)),
      grid_setup_{setup.program, setup.gpu, partitions_, works_} {
  grids_.reserve(owners);
  for (std::uint32_t owner = 0; owner < owners; ++owner) grids_.emplace_back(grid_setup_, owner);
}

void Execution::begin(std::uint32_t id, Duration delay, engine::Context& context) {
  Work& work = works_[id];
  work.begun = context.now() + delay;
  const bool shared = setup_.recorded_share && work.is_kernel();
  if (!work.timed || shared) {
    return context.schedule(delay, events::event(events::kStartWork, id));
  }
  work.start = work.begun;
  context.schedule(delay + work.duration,
                   events::event(events::kEndWork, id, 0, engine::Phase::kCompletion));
}

void Execution::start(std::uint32_t id, engine::Context& context) {
  const Work& work = works_[id];
  if (!work.is_kernel()) return start_copy(id, context);
  const program::Kernel& kernel = setup_.program.kernels[work.object];
  const bool by_instructions = std::holds_alternative<program::InstructionWork>(kernel.work);
  const bool by_operator = std::holds_alternative<program::OperatorWork>(kernel.work);
  const bool as_a_whole = work.timed || by_instructions || by_operator;
  return as_a_whole ? grids_of(work).start_timed(id, context) : start_blocks(id, kernel, context);
}

void Execution::start_copy(std::uint32_t id, engine::Context& context) {
  Work& work = works_[id];
  work.duration = time_alone(setup_.gpu, setup_.host_copy_rate, work);
  work.start = copy_engines_.start(work, work.duration, context.now());
  context.schedule(work.start + work.duration - context.now(),
                   events::event(events::kEndWork, id, 0, engine::Phase::kCompletion));
}

void Execution::start_blocks(std::uint32_t id, const program::Kernel& kernel,
                             engine::Context& context) {
  const Work& work = works_[id];
  const std::string& impossible = setup_.needs.why_impossible(work.object);
  if (!impossible.empty()) {
    throw ModelError(fmt::format("gpu[{}] ({}): {}", device_, setup_.gpu.name, impossible));
  }
  GridRequest request;
  request.blocks = kernel.shape.blocks();
  request.needs = setup_.needs.of(work.object);
  request.gated = work.gated;
  if (const auto* blocks = std::get_if<program::FixedBlockWork>(&kernel.work)) {
    request.block_time = blocks->block_time;
    request.by_clock = blocks->by_clock;
    request.triggers = blocks->triggers;
    request.prologue = blocks->prologue;
  } else {
    request.gated = true;  // persistent: its blocks stay until the last item is done
  }
  admit(id, request, context);
  if (work.released != Instant::max()) grids_of(work).release(work, work.released, context);
}

void Execution::release(std::uint32_t id, Instant at, engine::Context& context) {
  Work& work = works_[id];
  work.released = at;
  if (work.admitted) grids_of(work).release(work, at, context);
}

}  // namespace septet::gpu
