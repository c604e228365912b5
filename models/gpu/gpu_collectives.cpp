// Collectives: kernels of one block a channel, which stay on their SMs until the fabric says that
// all ranks have done their part.
#include "models/gpu/gpu.hpp"
#include "models/gpu/gpu_internal.hpp"

namespace septet {

void Gpu::start_collective(std::uint32_t id, Context& context) {
  Work& work = works_[id];
  const Command& command = commands_[work.command];
  const std::uint32_t communicator =
      communicator_of(program_.threads[command.name.thread], program_.collectives[work.object]);
  work.site = wiring_.sites.find(work.object, communicator, device_);
  work.start = context.now();
  if (!wiring_.takes_room) return join_collective(id, context);
  GridRequest request;
  request.blocks = wiring_.sites[work.site].plan.channels;
  request.needs = wiring_.collective_needs;
  request.priority = program_.streams[command.stream].priority;
  request.within = &partitions_.of(command.stream);
  request.gated = true;  // its blocks stay until all ranks are done
  request.whole = true;
  admit(id, request, context);
}

// Once all blocks are on their SMs.
void Gpu::join_collective(std::uint32_t id, Context& context) {
  Work& work = works_[id];
  const CollectiveCall& site = wiring_.sites[work.site];
  const bool waits_for_room =
      work.admitted && distributor_of(work).at_gate(work.grid) < site.plan.channels;
  if (work.joined || waits_for_room) return;
  work.joined = true;
  const std::uint32_t fabric = wiring_.sites.rendezvous_of(site.communicator);
  note_departed(commands_[work.command].stream, site.communicator);
  context.send(wiring_.fabrics[fabric], wiring_.sites.lookahead(fabric),
               collective_arrived(work.site, id, device_, call_stream(commands_[work.command])));
}

void Gpu::collective_done(std::uint32_t id, Instant complete, Context& context) {
  Work& work = works_[id];
  work.complete = complete;
  if (!work.admitted) return end_work(id, context);
  distributor_of(work).release(work.grid, context.now(), context);
}

// What the horizon goes by.
Instant Gpu::earliest_output_time(Instant next) const {
  return horizon_ == nullptr ? next : first_departure(*horizon_, progress_, next);
}

void Gpu::note_launched(std::uint32_t stream, const Command& command) {
  if (horizon_ == nullptr) return;
  StreamProgress& progress = progress_[layout_.streams.slot(stream)];
  progress.running = static_cast<std::uint32_t>(command.name.call);
  progress.since = command.ready;
}

void Gpu::note_departed(std::uint32_t stream, std::uint32_t communicator) {
  if (horizon_ == nullptr) return;
  if (!wiring_.between_nodes[wiring_.sites.rendezvous_of(communicator)]) return;
  StreamProgress& progress = progress_[layout_.streams.slot(stream)];
  progress.away = true;
  ++progress.departed;
}

void Gpu::note_ended(std::uint32_t stream, const Command& command) {
  if (horizon_ == nullptr) return;
  StreamProgress& progress = progress_[layout_.streams.slot(stream)];
  progress.ended = static_cast<std::uint32_t>(command.name.call) + 1;
  progress.running = kNone;
  progress.away = false;
}

}  // namespace septet
