// Kernels that the kernel model times: they end when their share of the GPU has done their work.
#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {

void Gpu::start_modelled(std::uint32_t id, Context& context) {
  Work& work = works_[id];
  work.start = context.now();
  shared_run_.start(id, work.object, program_.kernels[work.object], context.now());
  schedule_modelled(context);
}

void Gpu::start_recorded(std::uint32_t id, Context& context) {
  Work& work = works_[id];
  work.start = context.now();
  shared_run_.start_recorded(id, work.duration, wiring_.recorded_shares[work.object],
                             context.now());
  schedule_modelled(context);
}

// Schedules all ends anew; what was scheduled before is recognised by its generation.
void Gpu::schedule_modelled(Context& context) {
  ++shared_generation_;
  for (const SharedRun::Ending& ending : shared_run_.endings()) {
    context.schedule(ending.in, gpu_events::event(gpu_events::kModelledEnd, ending.work,
                                                  shared_generation_, Phase::kCompletion));
  }
}

void Gpu::modelled_ended(std::uint32_t id, std::uint64_t generation, Context& context) {
  if (generation != shared_generation_) return;  // a kernel started or ended in between
  shared_run_.end(id, context.now());
  schedule_modelled(context);
  end_work(id, context);
}

}  // namespace septet
