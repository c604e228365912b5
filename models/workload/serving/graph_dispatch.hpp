// Which captured CUDA graph a step runs, and to how many tokens it is padded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/workload/serving/batch.hpp"
#include "models/workload/serving/step_plan.hpp"

namespace septet::serving {

struct GraphSpec {
  std::vector<std::int64_t> sizes{};  // captured, in tokens, ascending; none: everything is eager
  bool full = true;        // one graph for steps of decodes alone; else those are as mixed ones
  bool piecewise = false;  // graphs without attention for steps with prompts; else those are eager
};

// The batches of ranks that step together, from their plans. All of them run the same graph, or
// none: every rank computes as many tokens as the one with most, an idle one too. Decodes are
// entries of `decode_tokens`. Steps beyond the largest size are eager.
std::vector<Batch> batches_of(const GraphSpec& spec, std::int64_t decode_tokens,
                              std::span<const StepPlan> ranks);

}  // namespace septet::serving
