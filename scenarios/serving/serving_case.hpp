// A serving scenario as something to simulate: a deployment, its memory, engines, a fleet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "models/fleet/fleet_metrics.hpp"
#include "models/fleet/run_fleet.hpp"
#include "models/workload/llm/memory_budget.hpp"
#include "scenarios/serving/engine_setup.hpp"
#include "scenarios/serving/serving_configuration.hpp"
#include "scenarios/serving/serving_cost.hpp"

namespace septet::serving {

struct ServingCase {
  config::Hardware hardware;  // of one replica
  llm::Deployment deployment;
  std::optional<llm::Deployment> draft;
  llm::MemoryBudget memory;  // of the GPU that holds most
  EngineSpec engine;
  fleet::FleetSpec fleet;  // without failures at random times
  std::vector<Objective> objectives;
  std::vector<std::string> warnings;
  GpuCost gpu_cost;
  // Disaggregation: the replicas that compute prompts.
  std::shared_ptr<const ServingCase> prefill{};
  std::shared_ptr<const KvTransfer> transfer{};
  std::uint64_t seed = 1;

  std::uint32_t gpus_of_replica() const { return deployment.layout.gpus(); }
  // Of a fleet with so many replicas that write answers.
  std::uint32_t gpus_of_fleet(std::uint32_t replicas) const;
};

// A layout that doesn't divide the model.
class NotDivisible : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

// Throws ConfigError where the model doesn't fit (with the sum), or anything else contradicts.
ServingCase case_of(const ServingConfiguration& configuration, const Libraries& libraries);

// What steps cost; the same for cases that differ in fleet, scheduler and requests alone.
EngineCosts costs_of(const ServingCase& serving, const ServingTable& table);
// Of prefill replicas, if there are any.
std::shared_ptr<const fleet::PrefillPool> prefill_pool_of(const ServingCase& serving,
                                                          const ServingTable& table);

// Failures that the scenario lists, and those at random times up to the last arrival.
std::vector<fleet::Failure> failures_of(const ServingConfiguration& configuration,
                                        const fleet::FleetSpec& fleet,
                                        const requests::Workload& workload, std::uint64_t seed);

}  // namespace septet::serving
