// The clients and the router before the replicas: sends requests when they arrive, keeps clients'
// limit of concurrency, sends follow-ups after their answers, starts, drains and repairs replicas.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/logical_process.hpp"
#include "models/fleet/fleet_messages.hpp"
#include "models/fleet/fleet_spec.hpp"
#include "models/fleet/routing_policy.hpp"
#include "models/workload/requests/request.hpp"

namespace septet::fleet {

// What the router knows of a request.
struct RoutedRequest {
  std::optional<Instant> arrived{};
  Instant sent;
  std::uint32_t attempts = 0;
  std::uint32_t replica = 0;
  bool under_way = false;
};

class Router : public engine::LogicalProcess {
 public:
  // Both outlive the router.
  Router(const FleetSpec& spec, const requests::Workload& workload, std::uint64_t seed);

  void start(engine::Context& context) override;
  void handle(const engine::Event& event, engine::Context& context) override;

  // Whether anything depends on when requests end.
  static bool wants_reports(const FleetSpec& spec, const requests::Workload& workload);

  const std::vector<RoutedRequest>& requests() const { return requests_; }
  // How long each replica was there, up to `end`.
  std::vector<Duration> provided(Instant end) const;

 private:
  enum class State : std::uint8_t { kOff, kStarting, kUp, kDraining, kFailed };
  struct Managed {
    State state = State::kOff;
    Instant since;        // it is there without a break
    Duration provided{};  // before that
  };

  void arrive_next(engine::Context& context);
  void arrive(std::uint32_t request, engine::Context& context);
  void dispatch(std::uint32_t request, engine::Context& context);
  void dispatch_held(engine::Context& context);
  void hand_over(Attempt attempt, engine::Context& context);
  std::span<const ReplicaLoad> loads_of_prompts() const;
  std::span<const ReplicaLoad> loads_of_answers() const;
  void end(Attempt attempt, engine::Context& context);
  void fail(const Failure& failure, engine::Context& context);
  void scale(engine::Context& context);
  void scale_up(std::uint32_t wanted, engine::Context& context);
  void scale_down(std::uint32_t wanted, engine::Context& context);
  void set_state(std::uint32_t replica, State state, Instant now);
  void switch_off_if_drained(std::uint32_t replica, Instant now);
  std::uint32_t provided_replicas() const;
  bool all_ended() const { return ended_ == workload_.requests.size(); }

  const FleetSpec& spec_;
  const requests::Workload& workload_;
  std::uint64_t seed_;
  bool reports_;
  std::optional<RoutingPolicy> policy_;         // of prompts, and of all that isn't disaggregated
  std::optional<RoutingPolicy> answer_policy_;  // of replicas that decode
  std::vector<RoutedRequest> requests_;
  std::vector<Managed> managed_;
  std::vector<ReplicaLoad> loads_;                      // of the same replicas
  std::vector<std::vector<std::uint32_t>> follow_ups_;  // of each request; empty without any
  std::deque<std::uint32_t> held_;  // until a client may send, or a replica takes requests
  std::size_t next_ = 0;            // of the workload's requests, to arrive
  std::size_t under_way_ = 0;
  std::size_t ended_ = 0;
  Instant enough_since_;  // fewer replicas have been enough
  bool fewer_enough_ = false;
};

}  // namespace septet::fleet
