#include "models/workload/serving/graph_dispatch.hpp"

#include <algorithm>

namespace septet::serving {
namespace {

bool decodes_alone(const StepPlan& plan, std::int64_t decode_tokens) {
  return std::ranges::all_of(plan.entries, [&](const Scheduled& entry) {
    return !entry.prefill && entry.tokens == decode_tokens;
  });
}

Execution execution_of(const GraphSpec& spec, bool decodes) {
  if (decodes && spec.full) return Execution::kFullGraph;
  return spec.piecewise ? Execution::kPiecewiseGraph : Execution::kEager;
}

Batch batch_of(const StepPlan& plan) {
  Batch out;
  out.entries.reserve(plan.entries.size());
  for (const Scheduled& entry : plan.entries) {
    out.entries.push_back({entry.context, entry.tokens, !entry.prefill || entry.emitted > 0});
  }
  return out;
}

}  // namespace

std::vector<Batch> batches_of(const GraphSpec& spec, std::int64_t decode_tokens,
                              std::span<const StepPlan> ranks) {
  std::vector<Batch> out;
  std::int64_t most = 0;
  bool decodes = true;
  for (const StepPlan& plan : ranks) {
    out.push_back(batch_of(plan));
    most = std::max(most, new_tokens(out.back()));
    decodes &= decodes_alone(plan, decode_tokens);
  }
  Execution execution = execution_of(spec, decodes);
  const auto captured = std::ranges::lower_bound(spec.sizes, most);
  if (captured == spec.sizes.end()) execution = Execution::kEager;
  for (Batch& batch : out) {
    batch.execution = execution;
    batch.padded_tokens = execution == Execution::kEager ? most : *captured;
  }
  return out;
}

}  // namespace septet::serving
