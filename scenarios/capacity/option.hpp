// What a capacity search may choose besides the number of replicas: GPU, engine, layout.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/serving/serving_case.hpp"
#include "scenarios/serving/serving_run.hpp"

namespace septet::capacity {

// Why an option can hold nothing, however many replicas there are.
enum class Bound : std::uint8_t {
  kLayout,        // the model can't be divided so
  kMemory,        // weights and one sequence don't fit
  kMaxGpus,       // one replica has more GPUs than allowed
  kRequestAlone,  // a request alone on the engine misses an objective
};
constexpr auto enum_table(std::type_identity<Bound>) {
  return enum_texts<Bound>("layout", "memory", "max_gpus", "one request alone");
}

struct Option {
  std::string gpu;
  std::string engine;
  std::uint32_t tensor_parallel_size = 1;
  std::shared_ptr<const serving::ServingConfiguration> configuration{};
  std::optional<serving::ServingCase> of{};  // nothing where it can't be
  serving::EngineCosts costs{};
  std::optional<Bound> removed_by{};
  std::string reason{};  // why

  std::uint32_t gpus_of_replica() const { return of ? of->gpus_of_replica() : 0; }
};

// Every combination that [search] asks for, with those that memory and layout rule out marked.
std::vector<Option> options_of(const serving::ServingConfiguration& base,
                               const serving::Libraries& libraries);

// Marks the option where a request alone misses an objective. More work in a step never makes it
// shorter, so no fleet is faster. `workload`: of which the request's lengths are taken.
void bound_by_request_alone(Option& option, const requests::Workload& workload,
                            const serving::SloText& slo);

}  // namespace septet::capacity
