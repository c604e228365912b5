// A published serving run as a row of group serve_public describes it: model, GPUs, engine, load.
//
// What a row leaves open is what its engine does by default: a profile of data/engines.
#pragma once

#include <optional>
#include <string>

#include "models/fleet/fleet_metrics.hpp"
#include "models/workload/requests/request.hpp"
#include "scenarios/serving/engine_library.hpp"
#include "scenarios/serving/engine_setup.hpp"
#include "scenarios/validate/prediction.hpp"

namespace septet::validation {

// Of the case: a number, a text, a flag; nothing where it is absent or null.
std::optional<double> number_in(const MeasuredRow& row, const char* key);
std::string text_in(const MeasuredRow& row, const char* key);
bool flag_in(const MeasuredRow& row, const char* key);

// The engine's fields on a GPU. Throws ConfigError for an engine or release that nobody knows.
class PublicEngine {
 public:
  PublicEngine(const MeasuredRow& row, const gpu::GpuSpec& gpu);
  PublicEngine(const PublicEngine&) = delete;
  PublicEngine& operator=(const PublicEngine&) = delete;

 private:
  config::ConfigValue numbers_;  // to which `text` refers

 public:
  serving::EngineText text;
};

llm::Deployment deployment_of(const MeasuredRow& row, llm::Style style);

// Memory, limits and host costs. Throws serving::DoesNotFit.
serving::EngineSetup setup_of(const MeasuredRow& row, const serving::EngineText& text,
                              const llm::Deployment& deployment, const gpu::GpuSpec& gpu);

requests::Workload workload_of(const MeasuredRow& row, const serving::EngineSpec& engine);

std::vector<CaseKind> public_serving_cases();

}  // namespace septet::validation
