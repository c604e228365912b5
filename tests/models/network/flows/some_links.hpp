// Links of 100 GB/s each, of which LL leaves half to data, and plans over them.
#pragma once

#include <cmath>
#include <vector>

#include "models/network/collective/collective_model.hpp"

namespace septet::test {

class SomeLinks : public network::CollectiveModel {
 public:
  network::CollectivePlan plan(const network::CollectiveRequest&) const override { return {}; }
  std::uint32_t link_count() const override { return 100; }
  ByteRate link_rate(std::uint32_t) const override { return 100_GBps; }
  double link_share(const network::CollectivePlan& plan) const override {
    return plan.protocol == program::CollectiveProtocol::kLowLatency ? 0.5 : 1;
  }
  std::uint32_t gpu_count() const override { return 100; }
  std::uint32_t node_of(std::uint32_t) const override { return 0; }
};

// A transfer that takes `alone` and moves at `share` of a link's rate over each of `links`.
inline network::CollectivePlan plan_over(Duration alone, double share,
                                         const std::vector<std::uint32_t>& links) {
  network::CollectivePlan out;
  out.transfer = alone;
  for (const std::uint32_t link : links) {
    out.loads.push_back({link, Bytes(std::llround(to_seconds(alone) * 100e9 * share))});
  }
  return out;
}

constexpr Instant at(std::int64_t us) { return Instant(us * kPicosecondsPerMicrosecond); }

}  // namespace septet::test
