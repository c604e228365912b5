// What a scheduler decided for one step, and what comes out of it.
#pragma once

#include <cstdint>
#include <vector>

namespace septet::serving {

using SequenceId = std::uint32_t;  // of one scheduler; used again once the sequence is finished

struct Scheduled {
  SequenceId sequence = 0;
  std::uint64_t request = 0;
  std::int64_t context = 0;  // tokens in the cache
  std::int64_t tokens = 1;   // computed now
  std::int64_t emitted = 0;  // tokens of the answer that come out
  bool prefill = false;      // a prompt, or what a preemption lost

  friend bool operator==(const Scheduled&, const Scheduled&) = default;
};

struct StepPlan {
  std::vector<Scheduled> entries;
  std::vector<std::uint32_t> admitted;   // tags of requests that run for the first time
  std::vector<std::uint64_t> preempted;  // requests
  std::uint32_t swapped_out = 0;         // blocks
  std::uint32_t swapped_in = 0;

  bool empty() const { return entries.empty(); }
};

// Tokens that leave the engine at the end of a step.
struct Emission {
  std::uint64_t request = 0;
  std::uint32_t tag = 0;  // of its SequenceSpec
  std::int64_t tokens = 0;
  bool first = false;
  bool finished = false;
  std::int64_t cached = 0;        // of a finished one: tokens of its prompt found in the cache
  std::uint32_t preemptions = 0;  // of a finished one
};

}  // namespace septet::serving
