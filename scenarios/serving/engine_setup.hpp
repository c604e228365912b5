// An engine's fields as what is simulated: its memory on a GPU, its scheduler, graphs and host.
#pragma once

#include <optional>

#include "core/base/error.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/workload/llm/memory_budget.hpp"
#include "models/workload/serving/engine_spec.hpp"
#include "scenarios/serving/serving_text.hpp"

namespace septet::serving {

// What an engine serves, and where.
struct EngineSite {
  const llm::Deployment& deployment;
  const std::optional<llm::Deployment>& draft;
  const gpu::GpuSpec& gpu;
  Location where;  // of the choice of model and layout, for errors
};

struct EngineSetup {
  llm::MemoryBudget memory;  // of the GPU that holds most
  EngineSpec spec;           // without speculation
};

// Weights, activations and one block of keys and values are more than a GPU holds.
class DoesNotFit : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

// Throws DoesNotFit with the sum, and ConfigError where fields contradict one another.
EngineSetup engine_setup(const EngineText& text, const EngineSite& site);

}  // namespace septet::serving
