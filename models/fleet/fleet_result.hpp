// What became of the requests, and what replicas did.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/quantity.hpp"
#include "core/engine/simulation.hpp"
#include "models/records/request_record.hpp"
#include "models/records/serving_step_record.hpp"
#include "models/workload/serving/batch.hpp"
#include "models/workload/serving/scheduler.hpp"

namespace septet::fleet {

using records::Fate;

// Times as the client sees them; of the last attempt, where a replica failed.
struct RequestOutcome {
  Fate fate = Fate::kUnfinished;
  serving::Entry refusal = serving::Entry::kQueued;
  std::uint32_t replica = 0;
  std::uint32_t attempts = 0;  // 0: never sent
  std::uint32_t preemptions = 0;
  std::int64_t cached_tokens = 0;     // of the prompt, found in the KV cache
  std::optional<Instant> arrived{};   // when its client wanted to send it
  Instant sent;                       // behind the client's limit of concurrency
  std::optional<Instant> admitted{};  // into its first step
  // Disaggregation: the prompt was computed; its keys and values began to move, and had come.
  std::optional<Instant> prefilled{};
  std::optional<Instant> transfer_began{};
  std::optional<Instant> transferred{};
  Instant first_token;
  Instant finished;
};

// The time between two tokens of an answer, and how many times there was one of this length.
struct TokenGap {
  Duration gap{};
  std::int64_t count = 0;
};

struct ReplicaTotals {
  bool prefill = false;  // of prompts alone
  std::uint64_t steps = 0;
  std::int64_t prompt_tokens = 0;  // computed
  std::int64_t output_tokens = 0;  // emitted
  std::uint64_t preemptions = 0;
  std::uint64_t failures = 0;
  Duration gpu{};             // within steps
  Duration host{};            // of steps; beside the GPU where an engine overlaps both
  serving::Energy energy{};   // of its GPUs in steps, beyond waiting
  Duration provided{};        // that the replica was there, starting included
  double peak_cache_use = 0;  // share of KV blocks
  std::size_t peak_waiting = 0;
  std::size_t peak_running = 0;
};

struct FleetResult {
  std::vector<RequestOutcome> requests;  // in the order of the workload
  std::vector<TokenGap> gaps;            // of all replicas, in no order
  std::vector<ReplicaTotals> replicas;
  std::vector<records::ServingStepRecord> steps;  // where the run records them
  engine::RunResult engine;
};

}  // namespace septet::fleet
