// What a capacity search may choose besides the number of replicas: GPU, engine, layout.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/config/toml/value.hpp"
#include "scenarios/serving/serving_case.hpp"
#include "scenarios/serving/serving_run.hpp"

namespace septet::capacity {

// Why an option can hold nothing, however many replicas there are.
enum class Bound : std::uint8_t {
  kLayout,        // the model can't be divided so
  kMemory,        // weights and one sequence don't fit
  kMaxGpus,       // one replica has more GPUs than allowed
  kLongest,       // the longest request is refused, however idle the engine is
  kRequestAlone,  // a request alone on the engine misses an objective
  kBudget,        // so many GPUs cost more than the budget
  kPower,         // so many GPUs draw more than the limit while they wait
};
constexpr auto enum_table(std::type_identity<Bound>) {
  return enum_texts<Bound>("layout", "memory", "max_gpus", "longest request", "one request alone",
                           "budget", "power");
}

// A key of the scenario and one of the values that [search.try] lists for it.
struct Setting {
  std::string key;
  config::ConfigValue value;
};

struct Option {
  std::string gpu;
  std::string engine;
  std::uint32_t tensor_parallel_size = 1;
  std::vector<Setting> settings{};
  std::shared_ptr<const serving::ServingConfiguration> configuration{};
  std::optional<serving::ServingCase> of{};  // nothing where it can't be
  serving::EngineCosts costs{};
  std::shared_ptr<const fleet::PrefillPool> prefill{};
  std::optional<Bound> removed_by{};
  std::string reason{};  // why
  std::string remedy{};  // the nearest change that helps, where nothing holds
  // One request alone: the objective that it misses.
  std::optional<serving::ObjectiveResult> missed{};
  // Of the numbers of replicas that max_gpus allows, the most that no bound rules out.
  std::uint32_t most_replicas = 0;
  std::array<std::uint32_t, kEnumSize<Bound>> candidates_removed{};  // numbers of replicas

  std::uint32_t gpus_of_replica() const;
  std::uint32_t gpus_of_fleet(std::uint32_t replicas) const;  // of an option with a case
};

// Rules out the option, and all its candidates that are left.
void remove(Option& option, Bound bound, std::string reason);

// "h100-sxm vllm-v1 tp 2 engine.max_num_seqs = 128"
std::string option_text(const Option& option);

// The option as a case; ruled out where memory, layout or max_gpus do.
Option option_with(const serving::ServingConfiguration& base, const serving::Libraries& libraries,
                   Option option);

// Every combination that [search] asks for, with those that memory and layout rule out marked.
std::vector<Option> options_of(const serving::ServingConfiguration& base,
                               const serving::Libraries& libraries);

// Rules out fleets that cost more than the budget, or draw more than the limit of power: a fleet
// costs its GPUs times their price, and never draws less than its GPUs do while they wait.
void bound_by_cost(Option& option, const serving::SloText& slo);

// Marks the option where the longest request is refused even by an idle engine: its length is more
// than max_model_len, or than the whole KV cache.
void bound_by_longest_request(Option& option, const requests::Workload& workload);

// Marks the option where a request alone misses an objective. More work in a step never makes it
// shorter, so no fleet is faster. `workload`: of which the request's lengths are taken.
void bound_by_request_alone(Option& option, const requests::Workload& workload,
                            const serving::SloText& slo);

}  // namespace septet::capacity
