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

LimitKind kind_of(const Candidate& candidate, const serving::ObjectiveResult& objective) {
  using serving::ObjectiveUnit;
  if (objective.unit == ObjectiveUnit::kWatts) return LimitKind::kPower;
  if (is_cost(objective.unit)) return LimitKind::kBudget;
  if (objective.key.starts_with(text_of(fleet::Latency::kQueue))) return LimitKind::kQueue;
  return kind_of(candidate);
}

std::string change_for(LimitKind kind, const CapacityResult& result, const Candidate& candidate) {
  if (result.best) return fmt::format("{} GPUs", result.best->gpus);
  if (result.beyond) {
    return result.beyond->gpus > result.max_gpus
               ? fmt::format("search.max_gpus = {}", result.beyond->gpus)
               : fmt::format("{} GPUs, beyond the budget or power", result.beyond->gpus);
  }
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

LimitKind kind_of(Bound bound) {
  switch (bound) {
    case Bound::kRequestAlone:
      return LimitKind::kRequestAlone;
    case Bound::kLongest:
      return LimitKind::kRefused;
    case Bound::kBudget:
      return LimitKind::kBudget;
    case Bound::kPower:
      return LimitKind::kPower;
    case Bound::kLayout:
    case Bound::kMemory:
    case Bound::kMaxGpus:
      break;
  }
  return LimitKind::kMemory;
}

Limit limit_of_removed(const Option& option) {
  Limit out;
  out.objective = std::string(text_of(*option.removed_by));
  if (option.missed) {
    out.objective = option.missed->key;
    out.wanted = option.missed->wanted;
    out.got = option.missed->got;
  }
  out.kind = kind_of(*option.removed_by);
  out.change = option.remedy;
  out.reason = option.reason;
  return out;
}

// The fleet that would hold costs or draws more than is allowed.
void add_costs(const CapacityResult& result, std::vector<Limit>& out) {
  using serving::ObjectiveUnit;
  const Candidate& fleet = *result.beyond;
  const auto cost = fleet.cost_per_hour;
  if (result.budget && cost && *cost > *result.budget) {
    out.push_back({"budget", *result.budget, *cost, true, LimitKind::kBudget,
                   fmt::format("slo.budget = {:.4g}", *cost), "", ObjectiveUnit::kPricePerHour});
  }
  if (result.power && fleet.power > *result.power) {
    out.push_back({"power", result.power->count(), fleet.power.count(), true, LimitKind::kPower,
                   fmt::format("slo.power = \"{:.4g} W\"", fleet.power.count()), "",
                   ObjectiveUnit::kWatts});
  }
}

}  // namespace

std::vector<Limit> limits_of(const CapacityResult& result) {
  std::vector<Limit> out;
  const Candidate* candidate = closest(result);
  if (candidate == nullptr) {
    if (result.best) return out;
    if (result.beyond) add_costs(result, out);
    for (const Option& option : result.options) {
      const bool costs = option.removed_by == Bound::kBudget || option.removed_by == Bound::kPower;
      const bool said = costs && !out.empty();
      if (option.removed_by && !said) out.push_back(limit_of_removed(option));
    }
    return out;
  }
  for (const ObjectiveEstimate& objective : candidate->objectives) {
    const serving::ObjectiveResult& worst = objective.worst;
    if (worst.met) continue;
    const LimitKind kind = kind_of(*candidate, worst);
    out.push_back({worst.key, worst.wanted, worst.got, worst.at_most, kind,
                   change_for(kind, result, *candidate), "", worst.unit});
  }
  if (!result.best && result.beyond) add_costs(result, out);
  if (out.empty() && candidate->overloaded) {
    const LimitKind kind = kind_of(*candidate);
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
