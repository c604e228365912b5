#include "models/gpu/front_end/connections.hpp"

namespace septet::gpu {

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

}  // namespace septet::gpu
