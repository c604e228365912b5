// What a fleet costs: price and energy of its GPUs.
//
// Price: GPU-hours that replicas were there, start-up included, times the list price. Energy: GPUs
// that are there draw the power of waiting with their clocks up (models/gpu/power), steps add what
// their bytes and operations take. Ignored: hosts, switches, cooling; the energy of exchanges and
// transfers. A short run counts its beginning and its end, when few requests share the GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/fleet/fleet_metrics.hpp"
#include "scenarios/serving/price_list.hpp"

namespace septet::serving {

// What one GPU costs as long as it is there.
struct GpuCost {
  std::uint32_t gpus_of_replica = 1;
  Power waiting{};
  std::optional<GpuPrice> price{};
  std::string currency{};  // of the price list; empty where the scenario says a price
  std::string list{};      // its name
};

struct ServingCost {
  double gpu_hours = 0;
  Energy energy{};
  Power power{};  // average
  std::optional<double> joules_per_output_token{};
  // Nothing without a price, or without an answer.
  std::optional<double> price{};
  std::optional<double> per_hour{};
  std::optional<double> per_million_output_tokens{};
  std::optional<double> per_million_tokens{};  // of prompts and answers
};

// A price or power may exceed its limit by this factor: rates times hours are rounded.
constexpr double kCostRounding = 1 + 1e-9;

// `prefill`: of the replicas that compute prompts alone; its price is in the same currency.
ServingCost cost_of(const GpuCost& gpu, const GpuCost* prefill, const fleet::FleetResult& result,
                    const fleet::FleetMetrics& metrics);

}  // namespace septet::serving
