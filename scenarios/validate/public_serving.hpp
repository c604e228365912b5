// A published serving run as a row of group serve_public describes it: model, GPUs, engine, load.
//
// What a row leaves open is what its engine does by default (public_engine.cpp names the sources).
#pragma once

#include <optional>
#include <string>

#include "models/fleet/fleet_metrics.hpp"
#include "models/workload/llm/memory_budget.hpp"
#include "models/workload/requests/request.hpp"
#include "models/workload/serving/engine_spec.hpp"
#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

// Of the case: a number, a text, a flag; nothing where it is absent or null.
std::optional<double> number_in(const MeasuredRow& row, const char* key);
std::string text_in(const MeasuredRow& row, const char* key);
bool flag_in(const MeasuredRow& row, const char* key);

// "vllm 0.15.1"
struct EngineVersion {
  llm::Style style = llm::Style::kVllm;
  int major = 0;
  int minor = 0;
};
EngineVersion engine_version(const MeasuredRow& row);

llm::Deployment deployment_of(const MeasuredRow& row);

// Limits and host costs; the KV blocks that `memory` leaves.
struct PublicEngine {
  serving::EngineSpec spec;
  llm::MemoryBudget memory;
};
PublicEngine engine_of(const MeasuredRow& row, const llm::Deployment& deployment,
                       const gpu::GpuSpec& gpu);

requests::Workload workload_of(const MeasuredRow& row, const serving::EngineSpec& engine);

std::vector<CaseKind> public_serving_cases();

}  // namespace septet::validation
