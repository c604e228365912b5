// One replica: a serving engine that steps in simulated time.
//
// A request passes the front end, joins the scheduler's queue, and the next step that is planned
// may take it. Without overlap a step is planned, prepared by the host, computed by the GPU and
// completed, one after the other. With overlap the next step is planned when the GPU begins one,
// and begins when both the GPU and the host are through: a request that arrives meanwhile waits for
// the step after that.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/slot_pool.hpp"
#include "core/engine/logical_process.hpp"
#include "models/fleet/fleet_messages.hpp"
#include "models/fleet/fleet_result.hpp"
#include "models/fleet/fleet_spec.hpp"
#include "models/workload/requests/request.hpp"
#include "models/workload/serving/engine.hpp"
#include "models/workload/serving/kv_transfer.hpp"

namespace septet::fleet {

// What a replica does of a request.
enum class Role : std::uint8_t { kAll, kPrefill, kDecode };

struct ReplicaSpec {
  std::uint32_t number = 0;
  const serving::EngineSpec* engine = nullptr;  // these outlive the replica
  const serving::EngineCosts* costs = nullptr;
  const std::vector<requests::Request>* requests = nullptr;
  bool reports = false;  // whether the router wants to know what has ended
  Duration latency{};    // of its reports
  std::uint64_t seed = 1;
  bool records_steps = false;
  Role role = Role::kAll;
  const Disaggregation* disaggregation = nullptr;  // unless kAll
  const serving::KvTransfer* transfer = nullptr;   // of kDecode
};

// A request's times at a replica.
struct ServedRequest {
  Attempt attempt;
  std::optional<Instant> admitted{};
  std::optional<Instant> transfer_began{};
  std::optional<Instant> transferred{};
  Instant first_token{};
  Instant last_token{};
  std::int64_t cached_tokens = 0;
  std::uint32_t preemptions = 0;
  serving::Entry refusal = serving::Entry::kQueued;
};

class Replica : public engine::LogicalProcess {
 public:
  explicit Replica(const ReplicaSpec& spec);

  void handle(const engine::Event& event, engine::Context& context) override;

  const std::vector<ServedRequest>& served() const { return served_; }  // completed or refused
  std::vector<ServedRequest> under_way() const;
  const std::vector<TokenGap>& gaps() const { return gaps_; }
  const ReplicaTotals& totals() const { return totals_; }
  const std::vector<records::ServingStepRecord>& steps() const { return steps_; }

 private:
  void receive(Attempt attempt, engine::Context& context);
  void enqueue(Attempt attempt, engine::Context& context);
  void prefilled(std::uint32_t tag, engine::Context& context);
  void receive_prefilled(Attempt attempt, std::uint32_t prefill, engine::Context& context);
  void stage(engine::Context& context);
  void transferred(std::uint32_t tag, engine::Context& context);
  void release(Attempt attempt, engine::Context& context);
  void wake_if_idle(engine::Context& context);
  void refuse(Attempt attempt, serving::Entry reason, engine::Context& context);
  void wake(engine::Context& context);
  void begin_gpu(engine::Context& context);
  void end_step(engine::Context& context);
  void go_on(engine::Context& context);
  std::optional<serving::EngineStep> planned(Instant now);
  void record(const serving::EngineStep& step, Instant now);
  void deliver(const serving::EngineStep& step, engine::Context& context);
  void take_tokens(const serving::Emission& emission, engine::Context& context);
  void count_gap(Duration gap, std::int64_t count);
  void report(Attempt attempt, engine::Context& context);
  void fail();
  void schedule(Duration delay, std::uint16_t kind, std::uint64_t a, engine::Context& context,
                engine::Phase phase = engine::Phase::kDefault);

  ReplicaSpec spec_;
  std::unique_ptr<serving::Engine> engine_;
  SlotPool<ServedRequest> active_;
  std::optional<serving::EngineStep> running_;  // on the GPU, or prepared for it
  std::optional<serving::EngineStep> next_;     // planned while that one runs
  Instant next_ready_;                          // when the host is through with it
  std::uint16_t life_ = 0;  // failures so far: events of an earlier life are void
  Instant link_free_;       // the last transfer ends
  std::unordered_map<std::uint32_t, std::uint32_t> sender_;  // prefill replica, by tag
  std::unordered_map<std::uint32_t, std::uint32_t> kept_;    // tag, by request
  bool waking_ = false;                                      // a kWake is under way
  std::vector<ServedRequest> served_;
  std::vector<TokenGap> gaps_;
  std::size_t gaps_of_earlier_steps_ = 0;
  std::vector<serving::Emission> emissions_;
  ReplicaTotals totals_;
  std::vector<records::ServingStepRecord> steps_;
};

}  // namespace septet::fleet
