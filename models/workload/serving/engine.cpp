#include "models/workload/serving/engine.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace septet::serving {
namespace {

std::size_t sequences_of(const Scheduler& rank) { return rank.waiting() + rank.running(); }

bool has_work(const EngineStep& step) {
  return std::ranges::any_of(step.ranks, [](const StepPlan& plan) { return !plan.empty(); });
}

std::int64_t entries_of(const EngineStep& step) {
  std::int64_t sum = 0;
  for (const StepPlan& plan : step.ranks) sum += static_cast<std::int64_t>(plan.entries.size());
  return sum;
}

}  // namespace

Engine::Engine(const EngineSpec& spec, const EngineCosts& costs, std::uint64_t seed)
    : spec_(spec), costs_(costs) {
  SEPTET_ASSERT(costs_.model != nullptr);
  SEPTET_ASSERT(costs_.draft != nullptr || spec.scheduler.speculation.draft_steps == 0);
  for (std::uint32_t i = 0; i < spec.data_parallel_ranks; ++i) {
    ranks_.emplace_back(spec.scheduler, seed);
  }
}

Entry Engine::add(const SequenceSpec& sequence) {
  return std::ranges::min_element(ranks_, {}, sequences_of)->add(sequence);
}

Entry Engine::receive(const SequenceSpec& sequence) {
  return std::ranges::min_element(ranks_, {}, sequences_of)->receive(sequence);
}

std::vector<std::uint32_t> Engine::stage() {
  std::vector<std::uint32_t> out;
  for (Scheduler& rank : ranks_) {
    while (const std::optional<std::uint32_t> tag = rank.stage()) out.push_back(*tag);
  }
  return out;
}

void Engine::arrive(std::uint32_t tag, bool first_known) {
  const bool found =
      std::ranges::any_of(ranks_, [&](Scheduler& rank) { return rank.arrive(tag, first_known); });
  SEPTET_ASSERT(found);
}

void Engine::release(std::uint32_t tag) {
  const bool found =
      std::ranges::any_of(ranks_, [&](Scheduler& rank) { return rank.release(tag); });
  SEPTET_ASSERT(found);
}

EngineStep Engine::plan() {
  EngineStep step;
  for (Scheduler& rank : ranks_) step.ranks.push_back(rank.plan());
  if (!has_work(step)) return step;
  for (const StepPlan& plan : step.ranks) {
    for (const Scheduled& entry : plan.entries) {
      if (entry.prefill) step.prompt_tokens += entry.tokens;
      if (!entry.prefill) ++step.decodes;
    }
  }
  const StepUse use = gpu_use(step);
  step.gpu = use.time;
  step.energy = use.energy;
  step.host = host_time(step);
  return step;
}

void Engine::complete(const EngineStep& step, std::vector<Emission>& out) {
  for (std::size_t i = 0; i < ranks_.size(); ++i) ranks_[i].complete(step.ranks[i], out);
}

std::size_t Engine::waiting() const {
  std::size_t sum = 0;
  for (const Scheduler& rank : ranks_) sum += rank.waiting();
  return sum;
}

std::size_t Engine::running() const {
  std::size_t sum = 0;
  for (const Scheduler& rank : ranks_) sum += rank.running();
  return sum;
}

double Engine::cache_use() const {
  double used = 0;
  double all = 0;
  for (const Scheduler& rank : ranks_) {
    used += rank.cache().blocks() - rank.cache().unused();
    all += rank.cache().blocks();
  }
  return used / all;
}

// The model's step, the draft steps that come before it, and blocks that move.
StepUse Engine::gpu_use(const EngineStep& step) const {
  const std::int64_t decode_tokens = 1 + spec_.scheduler.speculation.verified_tokens;
  StepUse out = costs_.model->use(batches_of(spec_.graphs, decode_tokens, step.ranks));
  if (spec_.scheduler.speculation.draft_steps > 0) out += draft_use(step);
  std::uint32_t moved = 0;
  for (const StepPlan& plan : step.ranks) moved += plan.swapped_in + plan.swapped_out;
  if (moved > 0) out.time += transfer_time(spec_.swap.block * moved, spec_.swap.rate);
  return out;
}

// The first draft step takes prompts along, so that the draft model knows them too; a tree's steps
// draft several tokens for each sequence.
StepUse Engine::draft_use(const EngineStep& step) const {
  const Speculation& speculation = spec_.scheduler.speculation;
  const std::int64_t branches =
      (speculation.verified_tokens + speculation.draft_steps - 1) / speculation.draft_steps;
  StepUse out;
  for (std::uint32_t i = 0; i < speculation.draft_steps; ++i) {
    std::vector<StepPlan> drafts(step.ranks.size());
    for (std::size_t rank = 0; rank < drafts.size(); ++rank) {
      for (Scheduled entry : step.ranks[rank].entries) {
        if (entry.prefill && i > 0) continue;
        if (!entry.prefill) entry.context += i * branches;
        if (!entry.prefill) entry.tokens = i == 0 ? 1 : branches;
        drafts[rank].entries.push_back(entry);
      }
    }
    const auto idle = [](const StepPlan& plan) { return plan.empty(); };
    if (std::ranges::all_of(drafts, idle)) break;
    out += costs_.draft->use(batches_of(spec_.graphs, i == 0 ? 1 : branches, drafts));
  }
  return out;
}

Duration Engine::host_time(const EngineStep& step) const {
  return spec_.host.per_step + spec_.host.per_request * entries_of(step) +
         spec_.host.per_prompt_token * step.prompt_tokens;
}

}  // namespace septet::serving
