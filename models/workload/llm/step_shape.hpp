// A batch as the kernels of a step see it: rows of matrices, and groups of sequences that attention
// treats alike.
//
// Everything except attention depends only on the number of tokens. Attention does the same work
// for n sequences of their mean lengths as for the n sequences: decodes read as many keys; prefill
// chunks have the same number of scores, the sum of q (k - q / 2). The extra cost of unequal
// lengths (the longest chunk at the end of a kernel) is ignored.
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
