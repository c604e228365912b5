// A batch as the kernels of a step see it: rows of matrices, and groups of sequences that attention
// treats alike.
//
// Everything but attention depends on the number of tokens alone. Attention does the same work for
// n sequences of their mean lengths as for the n sequences: decodes read as many keys; of prompts'
// chunks the keys stand for the same number of scores, sum of q (k - q / 2). What unequal lengths
// cost beyond that (the longest chunk at the end of a kernel) is left out.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workload/serving/batch.hpp"

namespace septet::llm {

struct AttentionGroup {
  std::uint64_t sequences = 0;
  double queries = 1;  // of a sequence, on average
  double keys = 1;     // that its last query sees, on average
  bool prefill = false;

  constexpr bool operator==(const AttentionGroup&) const = default;
};

struct StepShape {
  double rows = 0;     // tokens that products compute, padding included
  double sampled = 0;  // rows of logits
  std::vector<AttentionGroup> groups;

  bool operator==(const StepShape&) const = default;
};

StepShape shape_of(const serving::Batch& batch);

// Lengths rounded to steps of 1 / `steps` of their power of two, to the nearest: no length changes
// by more than 1 / (2 steps) of itself. 0 steps: nothing is rounded.
StepShape rounded(StepShape shape, std::uint32_t steps);

}  // namespace septet::llm
