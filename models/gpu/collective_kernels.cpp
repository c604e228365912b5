#include "models/gpu/collective_kernels.hpp"

#include "models/program/protocol.hpp"

namespace septet::gpu {

void CollectiveKernels::start(std::uint32_t id, const program::HostThread& thread,
                              engine::Context& context) {
  Work& work = execution_[id];
  const program::Collective& collective = environment_.program.collectives[work.object];
  const std::uint32_t communicator = communicator_of(thread, collective);
  work.call = environment_.calls.find(work.object, communicator, device_);
  work.start = context.now();
  if (!environment_.needs.take_room(environment_.execution.recorded_share)) {
    return join(id, context);
  }
  GridRequest request;
  request.blocks = environment_.calls[work.call].plan.channels;
  request.needs = environment_.needs.of_collective();
  request.gated = true;  // its blocks stay until all ranks are done
  request.whole = true;
  execution_.admit(id, request, context);
}

void CollectiveKernels::join(std::uint32_t id, engine::Context& context) {
  Work& work = execution_[id];
  const network::CollectiveCall& call = environment_.calls[work.call];
  const bool waits_for_room =
      work.admitted && execution_.grids_of(work).at_gate(work) < call.plan.channels;
  if (work.joined || waits_for_room) return;
  work.joined = true;
  const std::uint32_t rendezvous = environment_.calls.rendezvous_of(call.communicator);
  if (environment_.between_nodes[rendezvous]) horizon_.departed(work.stream);
  context.send(environment_.rendezvous[rendezvous], environment_.calls.lookahead(rendezvous),
               program::collective_arrived(work.call, id, device_, work.stream));
}

bool CollectiveKernels::done(std::uint32_t id, Instant complete, engine::Context& context) {
  Work& work = execution_[id];
  work.complete = complete;
  if (!work.admitted) return true;
  execution_.grids_of(work).release(work, context.now(), context);
  return false;
}

}  // namespace septet::gpu
