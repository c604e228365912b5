#include "models/network/collective/chunks/analytic_time.hpp"

#include "models/network/collective/chunks/private_rings.hpp"
#include "models/network/collective/chunks/symmetric.hpp"

namespace septet::network {

std::optional<AnalyticTime> analytic_time(Router& router, const AlgorithmPlan& plan,
                                          const ChunkWork& work) {
  if (auto symmetric = symmetric_time(router, plan, work)) return symmetric;
  return private_ring_time(router, plan, work);
}

}  // namespace septet::network
