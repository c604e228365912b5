// Fleets whose steps have simple times.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "models/fleet/fleet_metrics.hpp"
#include "models/fleet/run_fleet.hpp"

namespace septet::fleet {

// 10 ms and 1 ms for each token.
class AffineCost : public serving::StepCost {
 public:
  Duration time(std::span<const serving::Batch> ranks) const override {
    return from_us(10'000) + from_us(1000) * serving::new_tokens(ranks.front());
  }
};

struct Fleet {
  FleetSpec spec{};
  serving::EngineSpec engine = roomy_engine();
  requests::Workload workload{};
  engine::RunOptions options{};
  bool records_steps = false;
  const PrefillPool* prefill = nullptr;

  static serving::EngineSpec roomy_engine() {
    serving::EngineSpec out;
    out.scheduler.kv_blocks = 10'000;
    return out;
  }

  // `at_ms`: arrivals.
  void add(std::int64_t at_ms, std::int64_t input, std::int64_t output) {
    workload.requests.push_back({Instant(at_ms * kPicosecondsPerMillisecond), input, output});
  }

  FleetResult run() const {
    const serving::EngineCosts costs{std::make_shared<AffineCost>(), {}};
    return run_fleet({spec, engine, costs, workload, records_steps, prefill}, options);
  }
};

inline double ms(Duration time) { return to_us(time) / 1000; }
inline double ms(Instant time) { return to_us(time) / 1000; }

}  // namespace septet::fleet
