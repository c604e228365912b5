// How an engine chooses what to compute next: its limits and policies.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"

namespace septet::serving {

// Who comes first in a step.
enum class StepOrder : std::uint8_t {
  kMixed,         // running sequences, then waiting ones, from one budget of tokens (vLLM V1)
  kPrefillFirst,  // prompts alone while there are any that fit, decodes otherwise (SGLang, vLLM V0)
};
constexpr auto enum_table(std::type_identity<StepOrder>) {
  return enum_texts<StepOrder>("mixed", "prefill-first");
}

// What happens to a sequence for which there is no KV block.
enum class Preemption : std::uint8_t {
  kRecompute,  // its blocks are given up and computed again
  kSwap,       // its blocks go to the host's memory and come back
};
constexpr auto enum_table(std::type_identity<Preemption>) {
  return enum_texts<Preemption>("recompute", "swap");
}

// Which running sequence is preempted.
enum class Victim : std::uint8_t { kLast, kFewestOutputs };
constexpr auto enum_table(std::type_identity<Victim>) {
  return enum_texts<Victim>("last", "fewest-outputs");
}

// The part of the tokens that running sequences still have to write for which room is kept when
// another one is admitted: `share`, falling to `least` within `steps` decodes and back at `share`
// after a preemption. 0: none is kept (vLLM); 1: all of it, nothing is ever preempted
// (TensorRT-LLM's GUARANTEED_NO_EVICT).
struct Reservation {
  double share = 0;
  double least = 0;
  std::uint32_t steps = 0;                    // 0: `share` stays
  std::optional<std::int64_t> most_tokens{};  // of each sequence
};

// Drafted tokens that the model verifies in one step.
struct Speculation {
  std::uint32_t draft_steps = 0;  // 0: none
  std::uint32_t verified_tokens =
      0;  // besides the one known: draft_steps in a chain, more in a tree
  // Of each draft step, the chance that its token is accepted, those before being so.
  std::vector<double> acceptance{};
};

struct SchedulerSpec {
  StepOrder order = StepOrder::kMixed;
  bool chunked_prefill = true;
  std::int64_t max_num_batched_tokens = 2048;  // of a step
  std::optional<std::int64_t> max_chunk{};     // of one prompt in a step
  std::int64_t max_num_seqs = 256;             // running
  std::optional<std::int64_t> max_waiting{};   // more are refused
  std::int64_t max_model_len = 1 << 20;        // prompt and answer
  std::int64_t block_size = 16;                // tokens of a KV block
  std::uint32_t kv_blocks = 1;
  bool prefix_caching = true;
  Preemption preemption = Preemption::kRecompute;
  Victim victim = Victim::kLast;
  std::uint32_t swap_blocks = 0;  // in the host's memory
  Reservation reservation{};
  Speculation speculation{};
  // A prefill engine: the blocks of a finished sequence stay until `release`.
  bool keeps_finished = false;
  bool late_stop = false;  // the end of an answer is noticed one step late, which computes for it
                           // in vain (overlapped scheduling)
};

// Throws ModelError where the values contradict one another.
void check(const SchedulerSpec& spec);

}  // namespace septet::serving
