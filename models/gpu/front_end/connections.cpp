#include "models/gpu/front_end/connections.hpp"

#include <algorithm>

namespace septet::gpu {

void Connections::join(Hold& hold, std::uint32_t process, std::uint32_t command, Instant now) {
  const bool holds = hold.connection != kNone && (hold.queued > 0 || now <= hold.until);
  if (!holds) {
    hold.connection = pick(process);
    connections_[hold.connection].given = ++given_;
  }
  ++hold.queued;
  connections_[hold.connection].commands.push_back(command);
}

// An empty one, else any; among several, the least recently assigned one.
std::uint32_t Connections::pick(std::uint32_t process) const {
  const std::uint32_t first = process * per_process_;
  std::uint32_t best = first;
  for (std::uint32_t c = first + 1; c < first + per_process_; ++c) {
    const Connection& candidate = connections_[c];
    const bool waits = !candidate.commands.empty();
    const bool best_waits = !connections_[best].commands.empty();
    const bool older = candidate.given < connections_[best].given;
    if (waits != best_waits ? best_waits : older) best = c;
  }
  return best;
}

std::uint32_t Connections::leave(Hold& hold, Instant start, Instant now) {
  Connection& connection = connections_[hold.connection];
  connection.commands.pop_front();
  connection.free_at = std::max(connection.free_at, now) + spec_.command_interval;
  --hold.queued;
  hold.until = start + spec_.connection_hold;
  return connection.commands.empty() ? kNone : connection.commands.front();
}

}  // namespace septet::gpu
