// One run of a serving case with what was measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/serving/serving_case.hpp"

namespace septet::serving {

// In what an objective is counted.
enum class ObjectiveUnit : std::uint8_t {
  kSeconds,
  kTokensPerSecond,
  kShare,
  kPricePerHour,
  kPricePerMillion,
  kWatts,
};
constexpr auto enum_table(std::type_identity<ObjectiveUnit>) {
  return enum_texts<ObjectiveUnit>("s", "tokens/s", "1", "per hour", "per million output tokens",
                                   "W");
}

// Whether it is a limit of price or power, which more GPUs never help to keep.
constexpr bool is_cost(ObjectiveUnit unit) { return unit >= ObjectiveUnit::kPricePerHour; }

// The bound of an objective and the value reached.
struct ObjectiveResult {
  std::string key;  // "ttft_p99"
  double wanted = 0;
  double got = 0;
  bool at_most = true;
  bool met = false;
  ObjectiveUnit unit = ObjectiveUnit::kSeconds;
};

struct ServingRun {
  fleet::FleetResult result;
  fleet::FleetMetrics metrics;
  std::vector<ObjectiveResult> objectives;
  ServingCost cost;
  std::int64_t good = 0;  // requests that met the limit of every latency
  std::vector<std::string> findings;
  double wall_s = 0;

  // Every objective is met, nothing was refused, and the system wasn't overloaded.
  bool holds() const;
  // The same without the limits of price and power.
  bool holds_at_any_cost() const;
};

// What a run needs besides its case.
struct RunInput {
  const fleet::FleetSpec& fleet;
  const EngineSpec& engine;
  const EngineCosts& costs;
  const requests::Workload& workload;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  std::optional<Duration> end{};
  GpuCost gpu_cost{};
  bool records_steps = false;
  // With disaggregation.
  const fleet::PrefillPool* prefill = nullptr;
  std::optional<GpuCost> prefill_cost{};
};

ServingRun run_serving(const RunInput& input, const SloText& slo);

// A run of a scenario as it is, with what the run refers to.
struct ScenarioRun {
  ServingCase of;
  requests::Workload workload;
  ServingRun run;
};

// Throws ConfigError as case_of does.
ScenarioRun run_scenario(const ServingConfiguration& configuration, const Libraries& libraries,
                         unsigned threads, bool records_steps = false);

}  // namespace septet::serving
