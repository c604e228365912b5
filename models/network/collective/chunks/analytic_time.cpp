#include "models/network/collective/chunks/analytic_time.hpp"

#include "models/network/collective/chunks/private_rings.hpp"
#include "models/network/collective/chunks/symmetric.hpp"

namespace septet {

std::optional<AnalyticTime> analytic_time(Router& router, const Recipe& recipe,
                                          const ChunkWork& work) {
  if (const auto symmetric = symmetric_time(router, recipe, work)) return symmetric;
  return private_ring_time(router, recipe, work);
}

}  // namespace septet
