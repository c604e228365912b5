// Replicas of a serving engine behind a router.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "core/base/quantity.hpp"

namespace septet::fleet {

enum class Routing : std::uint8_t {
  kRoundRobin,
  kRandom,
  kLeastLoaded,  // fewest requests under way, the first of several
  kPrefixAware,  // where the beginning of the request was sent before; else the least loaded
};
constexpr auto enum_table(std::type_identity<Routing>) {
  return enum_texts<Routing>("round-robin", "random", "least-loaded", "prefix-aware");
}

struct RouterSpec {
  Routing routing = Routing::kRoundRobin;
  Duration latency = from_us(100);  // from router to replica and back, each; above 0
  // Prefix-aware: a prefix counts where it is at least this share of the prompt, and its replica
  // has at most so many requests more under way than the least loaded one.
  double least_prefix_share = 0.5;
  std::uint32_t most_imbalance = 32;
};

// So many replicas as requests under way need, checked every `interval`.
struct Autoscaling {
  std::uint32_t least = 1;
  std::uint32_t most = 1;
  double requests_per_replica = 1;  // under way
  Duration interval = from_seconds(10);
  Duration start_up{};          // until a new replica takes requests
  Duration scale_down_delay{};  // so long fewer have to be enough before one is given up
};

// A replica that fails loses all it has; the router sends its requests to others.
struct Failure {
  std::uint32_t replica = 0;
  Instant at;
  Duration repair{};

  friend bool operator==(const Failure&, const Failure&) = default;
};

// Who gives the client the first token of an answer.
enum class FirstToken : std::uint8_t {
  kPrefill,  // the prefill engine, at once; it travels with the keys and values
  kDecode,   // the decode engine, which computes the prompt's last token again (vLLM's connectors)
};
constexpr auto enum_table(std::type_identity<FirstToken>) {
  return enum_texts<FirstToken>("prefill", "decode");
}

// Disaggregation: prompts are computed by replicas of their own, after the others in number. A
// prompt's keys and values go to the replica that writes the answer once that has room for all of
// them; its links carry one transfer after the other, the sender's are taken to be free.
struct Disaggregation {
  std::uint32_t prefill_replicas = 1;
  Duration hand_over{};  // from the end of a prefill until the decode replica knows of it, beyond
                         // the router's latency: dispatch by the orchestration
  FirstToken first_token = FirstToken::kDecode;
};

struct FleetSpec {
  std::uint32_t replicas = 1;  // at the beginning; with disaggregation those that decode
  RouterSpec router{};
  std::optional<Autoscaling> autoscaling{};
  std::vector<Failure> failures{};
  std::optional<Disaggregation> disaggregation{};

  // Replicas that there ever are.
  std::uint32_t most_replicas() const { return autoscaling ? autoscaling->most : replicas; }
  // The same with those for prompts.
  std::uint32_t all_replicas() const {
    return most_replicas() + (disaggregation ? disaggregation->prefill_replicas : 0);
  }
};

// Throws ModelError where the values contradict one another.
void check(const FleetSpec& spec);

// Failures of `replicas` up to `end`, exponential with the mean time between those of one replica
// from its last repair on; ascending.
std::vector<Failure> random_failures(std::uint32_t replicas, Duration mean_time_between,
                                     Duration repair, Instant end, std::uint64_t seed);

}  // namespace septet::fleet
