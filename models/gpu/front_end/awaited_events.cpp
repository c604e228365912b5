#include "models/gpu/front_end/awaited_events.hpp"

#include <algorithm>

namespace septet::gpu {

bool AwaitedEvents::passes(std::uint32_t event, std::uint16_t generation, std::uint32_t stream) {
  Awaited& awaited = events_[event];
  if (awaited.progress.done(generation)) return true;
  std::vector<std::uint32_t>& streams = awaited.streams;
  const bool waits = std::find(streams.begin(), streams.end(), stream) != streams.end();
  if (!waits) streams.push_back(stream);
  return false;
}

std::vector<std::uint32_t> AwaitedEvents::record(std::uint32_t event, std::uint16_t generation) {
  std::vector<std::uint32_t> waited;
  if (!events_.ids().contains(event)) return waited;
  Awaited& awaited = events_[event];
  awaited.progress.record(generation);
  waited.swap(awaited.streams);
  return waited;
}

Duration AwaitedEvents::latency(std::size_t turn) const {
  const auto place = static_cast<std::int64_t>(std::min<std::size_t>(turn, connections_ - 1));
  return spec_.event_wait_latency + spec_.event_poll_interval * (2 * place + 1) / 2;
}

}  // namespace septet::gpu
