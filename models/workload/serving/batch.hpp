// What one step of a serving engine computes, and who says how long that takes.
//
// A scheduler turns requests into Batches; a StepCost knows the model, the GPUs and the layout. The
// two meet here only: a scheduler is tested with costs of its own making, a cost with batches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/quantity.hpp"

namespace septet::serving {

// The part of one request in a step.
struct BatchEntry {
  std::int64_t context = 0;  // tokens of it whose keys and values are in the cache already
  std::int64_t tokens = 1;   // tokens computed now, at least 1: a chunk of a prompt, one token of a
                             // decode, or 1 + k where k draft tokens are verified
  bool emits = true;  // whether logits are wanted: not for a chunk that a prompt goes on after

  friend bool operator==(const BatchEntry&, const BatchEntry&) = default;
};

// How the model's kernels are launched.
enum class Execution : std::uint8_t {
  kEager,           // one by one
  kPiecewiseGraph,  // graphs of what lies between attention operators, those launched one by one
  kFullGraph,       // one graph
};

// What one rank computes in a step. The order of the entries means nothing.
struct Batch {
  std::vector<BatchEntry> entries;  // empty: an idle rank of several that step together
  Execution execution = Execution::kEager;
  std::int64_t padded_tokens = 0;  // tokens that everything but attention computes: those of all
                                   // entries, or the captured size above

  friend bool operator==(const Batch&, const Batch&) = default;
};

constexpr std::int64_t new_tokens(const Batch& batch) {
  std::int64_t sum = 0;
  for (const BatchEntry& entry : batch.entries) sum += entry.tokens;
  return sum;
}

using Energy = Quantity<struct EnergyTag, double>;  // joules

// What a step takes of a replica's GPUs.
struct StepUse {
  Duration time{};
  Energy energy{};  // beyond that of GPUs that wait with their clocks up

  StepUse& operator+=(const StepUse& other) {
    time += other.time;
    energy += other.energy;
    return *this;
  }
};

// The time of a step on the GPUs: from when the worker begins to launch the model until the tokens
// that it sampled can be read by the host. What the engine does around it (scheduling, preparing
// inputs, detokenising) is not part of it.
class StepCost {
 public:
  virtual ~StepCost() = default;

  // `ranks`: the batches of the data-parallel ranks of attention that step together, one where
  // there is one rank; not all are empty. A pure function of them, positive. Called from several
  // threads.
  virtual Duration time(std::span<const Batch> ranks) const = 0;
  // The same with its energy, where that is known.
  virtual StepUse use(std::span<const Batch> ranks) const { return {time(ranks), {}}; }
};

}  // namespace septet::serving
