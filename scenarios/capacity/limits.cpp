#include "scenarios/capacity/limits.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace septet::capacity {
namespace {

// Above this share of a cache a sequence that grows finds no block.
constexpr double kFullCache = 0.98;

const Candidate* closest(const CapacityResult& result) {
  const Candidate* out = nullptr;
  for (const Candidate& candidate : result.candidates) {
    if (candidate.holds) continue;
    if (result.best &&
        (candidate.option != result.best->option || candidate.replicas >= result.best->replicas)) {
      continue;
    }
    if (out == nullptr || candidate.gpus > out->gpus) out = &candidate;
  }
  return out;
}

LimitKind kind_of(const Candidate& candidate) {
  if (candidate.preemptions > 0 && candidate.peak_cache_use > kFullCache) {
    return LimitKind::kKvCache;
  }
  if (candidate.overloaded || candidate.queue_share > 0.5) return LimitKind::kQueue;
  return LimitKind::kSteps;
}

std::string change_for(LimitKind kind, const CapacityResult& result, const Candidate& candidate) {
  if (result.best) return fmt::format("{} GPUs", result.best->gpus);
  if (result.beyond) return fmt::format("search.max_gpus = {}", result.beyond->gpus);
  switch (kind) {
    case LimitKind::kKvCache:
      return "a larger tensor_parallel_size, or kv = \"fp8\"";
    case LimitKind::kSteps:
      return "a lower engine.max_num_seqs or max_num_batched_tokens, or a larger "
             "tensor_parallel_size";
    default:
      return fmt::format("another GPU or layout: many times {} GPUs would be too few",
                         candidate.gpus);
  }
}

Limit limit_of_removed(const Option& option) {
  Limit out;
  out.objective = std::string(text_of(*option.removed_by));
  out.kind =
      option.removed_by == Bound::kRequestAlone ? LimitKind::kRequestAlone : LimitKind::kMemory;
  out.change = option.reason;
  return out;
}

}  // namespace

std::vector<Limit> limits_of(const CapacityResult& result) {
  std::vector<Limit> out;
  const Candidate* candidate = closest(result);
  if (candidate == nullptr) {
    if (result.best) return out;
    for (const Option& option : result.options) {
      if (option.removed_by) out.push_back(limit_of_removed(option));
    }
    return out;
  }
  const LimitKind kind = kind_of(*candidate);
  for (const ObjectiveEstimate& objective : candidate->objectives) {
    const serving::ObjectiveResult& worst = objective.worst;
    if (worst.met) continue;
    out.push_back({worst.key, worst.wanted, worst.got, worst.at_most, kind,
                   change_for(kind, result, *candidate)});
  }
  if (out.empty() && candidate->overloaded) {
    out.push_back(
        {"a queue that doesn't grow", 0, 0, true, kind, change_for(kind, result, *candidate)});
  }
  if (candidate->refused > 0) {
    out.push_back({"no request refused", 0, static_cast<double>(candidate->refused), true,
                   LimitKind::kRefused, "a higher engine.max_model_len, or shorter requests"});
  }
  return out;
}

}  // namespace septet::capacity
