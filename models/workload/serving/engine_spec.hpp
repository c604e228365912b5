// A serving engine: its scheduler and what the host does around a step.
#pragma once

#include <cstdint>

#include "core/base/quantity.hpp"
#include "models/workload/serving/graph_dispatch.hpp"
#include "models/workload/serving/scheduler_spec.hpp"

namespace septet::serving {

// What a step costs the host: scheduling, inputs, sampled tokens. `overlapped`: the next step is
// scheduled while the GPU works, and a step takes the longer of both, else their sum.
struct HostCost {
  Duration per_step{};
  Duration per_request{};       // of each in the step
  Duration per_prompt_token{};  // of the prompts' tokens in the step
  bool overlapped = false;

  friend bool operator==(const HostCost&, const HostCost&) = default;
};

// What lies between client and scheduler, beside the steps: HTTP, tokenising; detokenising,
// streaming. A request passes it alone.
struct FrontEnd {
  Duration request{};
  Duration per_prompt_token{};
  Duration response{};  // of each piece of an answer

  friend bool operator==(const FrontEnd&, const FrontEnd&) = default;
};

// Moving KV blocks to the host's memory and back.
struct SwapSpec {
  Bytes block{};
  ByteRate rate{};
};

struct EngineSpec {
  SchedulerSpec scheduler{};
  GraphSpec graphs{};
  HostCost host{};
  FrontEnd front_end{};
  SwapSpec swap{};
  std::uint32_t data_parallel_ranks = 1;  // of attention: schedulers that step together
};

}  // namespace septet::serving
