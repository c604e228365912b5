#include "models/workload/llm/step_shape.hpp"

#include <algorithm>
#include <cmath>

namespace septet::llm {
namespace {

// Chunks of up to so many tokens on top of a cache are read like decodes: one tile of queries.
constexpr std::int64_t kMostDecoded = 16;

bool is_prefill(const serving::BatchEntry& entry) {
  return entry.tokens > kMostDecoded || (entry.context == 0 && entry.tokens > 1);
}

// Of the entries of one kind.
struct Sum {
  double sequences = 0;
  double tokens = 0;
  double keys = 0;
  double scores = 0;

  void add(const serving::BatchEntry& entry) {
    const auto queries = static_cast<double>(entry.tokens);
    const auto context = static_cast<double>(entry.context);
    sequences += 1;
    tokens += queries;
    keys += context + queries;
    scores += queries * (context + queries / 2);
  }
};

AttentionGroup group_of(const Sum& sum, bool prefill) {
  AttentionGroup out;
  out.sequences = static_cast<std::uint64_t>(sum.sequences);
  out.queries = sum.tokens / sum.sequences;
  out.keys = prefill ? sum.scores / sum.tokens + out.queries / 2 : sum.keys / sum.sequences;
  out.prefill = prefill;
  return out;
}

double rounded(double value, std::uint32_t steps) {
  if (value < 1) return value;
  const double unit = std::exp2(std::floor(std::log2(value))) / steps;
  return std::round(value / unit) * unit;
}

}  // namespace

StepShape shape_of(const serving::Batch& batch) {
  StepShape out;
  Sum prefill;
  Sum decode;
  for (const serving::BatchEntry& entry : batch.entries) {
    (is_prefill(entry) ? prefill : decode).add(entry);
    if (entry.emits) out.sampled += is_prefill(entry) ? 1.0 : static_cast<double>(entry.tokens);
  }
  out.rows = std::max(prefill.tokens + decode.tokens, static_cast<double>(batch.padded_tokens));
  if (decode.sequences > 0) out.groups.push_back(group_of(decode, false));
  if (prefill.sequences > 0) out.groups.push_back(group_of(prefill, true));
  return out;
}

StepShape rounded(StepShape shape, std::uint32_t steps) {
  if (steps == 0) return shape;
  for (AttentionGroup& group : shape.groups) {
    group.queries = rounded(group.queries, steps);
    group.keys = std::max(group.queries, rounded(group.keys, steps));
  }
  if (!shape.groups.empty() && shape.groups.back().prefill) {
    shape.rows = rounded(shape.rows, steps);
  }
  return shape;
}

}  // namespace septet::llm
