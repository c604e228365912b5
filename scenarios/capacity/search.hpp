// The smallest fleet that meets a scenario's objectives, and how sure that is.
//
// For every option the number of replicas is doubled until a fleet holds and then bisected: more
// replicas never make a fleet worse, but for chance. Options that a bound rules out are not
// simulated. The best fleet has the fewest GPUs; of several, that whose GPUs are least
// busy; or, where the scenario asks for it, the least price or power. Around
// it the search asks how much faster requests may come, what the loss of a replica means, and how
// many GPUs were needed if steps took longer or shorter than the model says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/capacity/candidate.hpp"
#include "scenarios/capacity/model_error.hpp"
#include "scenarios/capacity/sensitivity.hpp"

namespace septet::capacity {

// What keeps a fleet from holding.
enum class LimitKind : std::uint8_t {
  kMemory,
  kRequestAlone,  // replicas never shorten a single request
  kQueue,         // requests wait for their first step
  kKvCache,       // sequences are preempted
  kSteps,         // steps with many requests take too long
  kRefused,
  kBudget,  // a fleet that holds costs more
  kPower,   // or draws more
};
constexpr auto enum_table(std::type_identity<LimitKind>) {
  return enum_texts<LimitKind>("memory", "one request alone", "queue", "kv cache", "steps",
                               "refused", "budget", "power");
}

// An objective that the largest fleet that failed misses.
struct Limit {
  std::string objective;
  double wanted = 0;
  double got = 0;
  bool at_most = true;
  LimitKind kind = LimitKind::kQueue;
  std::string change;    // the nearest one that helps
  std::string reason{};  // of a bound
  serving::ObjectiveUnit unit = serving::ObjectiveUnit::kSeconds;
};

// A point of the best fleet's curve.
struct CurvePoint {
  double rate_factor = 1;
  Candidate candidate;
};

struct Sureness {
  double headroom = 1;                          // the rate, times this, still holds
  std::optional<bool> holds_without_one;        // nothing where there is one replica alone
  std::optional<std::uint32_t> gpus_if_slower;  // nothing: more than max_gpus
  std::optional<std::uint32_t> gpus_if_faster;
  std::optional<double> months;  // until growth uses up the headroom
};

// The best fleet with the first seed.
struct BestRun {
  requests::Workload workload;
  serving::ServingRun run;
};

struct CapacityResult {
  std::vector<Option> options;
  std::vector<Candidate> candidates;  // in the order in which they were tried
  std::optional<Candidate> best;
  std::vector<Limit> limits;  // of the next smaller fleet; of the best one tried where none holds
  std::optional<Candidate> beyond;  // where none holds: the smallest that would, if allowed
  std::vector<CurvePoint> curve;
  std::optional<BestRun> best_run;
  double offered_requests_per_s = 0;  // of the first seed; 0 where all arrive at once
  Sureness sureness;
  std::vector<Sensitivity> sensitivities;  // of the best fleet
  ModelError model_error;
  // What the scenario allows.
  std::uint32_t max_gpus = 0;
  std::optional<double> budget;
  std::optional<Power> power;
  std::uint64_t runs = 0;
};

// Fleets of some option within max_gpus, and those of them that a bound rules out.
std::uint64_t candidates_allowed(const CapacityResult& result);
std::uint64_t candidates_removed(const CapacityResult& result, Bound bound);

// Called before each candidate.
using Tell = std::function<void(const Option& option, std::uint32_t replicas)>;

// Throws ConfigError where the scenario has no objectives, or those contradict its requests.
CapacityResult search_capacity(const serving::ServingConfiguration& base,
                               const serving::Libraries& libraries, unsigned threads,
                               const Tell& tell = {});

// A scenario as it is written, for a search. `settings`: the "key=value" of each --set. Throws
// ConfigError also where it has no table [serving].
serving::ServingConfiguration resolve_search(const config::ConfigValue& tree,
                                             const std::vector<std::string>& settings,
                                             const serving::Libraries& libraries);

}  // namespace septet::capacity
