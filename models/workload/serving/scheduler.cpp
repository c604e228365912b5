#include "models/workload/serving/scheduler.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/workload/serving/speculation.hpp"

namespace septet::serving {

void check(const SchedulerSpec& spec) {
  const bool positive = spec.max_num_batched_tokens > 0 && spec.max_num_seqs > 0 &&
                        spec.max_model_len > 0 && spec.block_size > 0 && spec.kv_blocks > 0;
  if (!positive) throw ModelError("a limit of the scheduler is 0");
  const Speculation& speculation = spec.speculation;
  if (speculation.acceptance.size() != speculation.draft_steps ||
      speculation.verified_tokens < speculation.draft_steps) {
    throw ModelError(fmt::format(
        "speculation: {} draft steps, {} chances of acceptance, {} verified tokens",
        speculation.draft_steps, speculation.acceptance.size(), speculation.verified_tokens));
  }
}

Scheduler::Scheduler(const SchedulerSpec& spec, std::uint64_t seed)
    : spec_(spec),
      seed_(seed),
      cache_((check(spec), spec.kv_blocks)),
      reserved_share_(spec.reservation.share) {}

Entry Scheduler::refusal(const SequenceSpec& spec) const {
  const std::int64_t end = spec.input_tokens + spec.output_tokens;
  SEPTET_ASSERT(spec.input_tokens > 0 && spec.output_tokens > 0);
  if (end > spec_.max_model_len) return Entry::kBeyondModel;
  // The last token of an answer is never computed.
  const std::int64_t most = end - 1 + spec_.speculation.verified_tokens;
  return blocks_for(most) > cache_.blocks() ? Entry::kBeyondCache : Entry::kQueued;
}

SequenceId Scheduler::new_sequence(const SequenceSpec& spec) {
  if (free_.empty()) {
    free_.push_back(static_cast<SequenceId>(sequences_.size()));
    sequences_.emplace_back();
  }
  const SequenceId id = free_.back();
  free_.pop_back();
  sequences_[id] = Sequence{spec, spec.input_tokens};
  return id;
}

Entry Scheduler::add(const SequenceSpec& spec) {
  const Entry refused = refusal(spec);
  if (refused != Entry::kQueued) return refused;
  if (!spec_.chunked_prefill && spec.input_tokens > spec_.max_num_batched_tokens) {
    return Entry::kBeyondStep;
  }
  if (spec_.max_waiting && static_cast<std::int64_t>(waiting_.size()) >= *spec_.max_waiting) {
    return Entry::kQueueFull;
  }
  waiting_.push_back(new_sequence(spec));
  return Entry::kQueued;
}

StepPlan Scheduler::plan() {
  plan_ = {};
  budget_ = spec_.max_num_batched_tokens;
  run_arrived();
  if (spec_.order == StepOrder::kMixed) {
    schedule_running(Kinds::kAll);
    if (plan_.preempted.empty()) admit_waiting();
  } else {
    schedule_running(Kinds::kPrefills);
    admit_waiting();
    if (plan_.empty()) {
      budget_ = std::numeric_limits<std::int64_t>::max();
      schedule_running(Kinds::kDecodes);
    }
  }
  return std::move(plan_);
}

void Scheduler::schedule_running(Kinds kinds) {
  bool decodes = false;
  std::size_t next = 0;
  while (next < running_.size() && budget_ > 0) {
    const std::size_t i = next++;
    const SequenceId id = running_[i];
    Sequence& sequence = sequences_[id];
    if (sequence.stopping) {
      if (kinds != Kinds::kPrefills) schedule_stopping(id);
      continue;
    }
    const bool prefill = sequence.in_prefill();
    if (kinds != Kinds::kAll && prefill != (kinds == Kinds::kPrefills)) continue;
    const std::int64_t tokens = std::min(wanted_tokens(sequence, prefill), budget_);
    if (!make_room(i, tokens)) {
      next = i;  // it is gone, another one stands there
      continue;
    }
    schedule(id, tokens);
    decodes |= !prefill;
  }
  const Reservation& reservation = spec_.reservation;
  if (decodes && reservation.steps > 0) {
    reserved_share_ =
        std::max(reservation.least,
                 reserved_share_ - (reservation.share - reservation.least) / reservation.steps);
  }
}

std::int64_t Scheduler::wanted_tokens(const Sequence& sequence, bool prefill) const {
  if (!prefill) return 1 + spec_.speculation.verified_tokens;
  const std::int64_t missing = sequence.known - sequence.computed;
  return spec_.max_chunk ? std::min(missing, *spec_.max_chunk) : missing;
}

// Blocks for `tokens` more of the sequence at `position`, if need be those of others. False where
// it lost its own.
bool Scheduler::make_room(std::size_t position, std::int64_t tokens) {
  const SequenceId id = running_[position];
  const Sequence& sequence = sequences_[id];
  const std::int64_t missing =
      blocks_for(sequence.computed + tokens) - static_cast<std::int64_t>(sequence.blocks.size());
  while (missing > cache_.unused()) {
    const std::size_t victim = victim_from(position);
    const bool itself = victim == position;
    preempt(victim);
    if (itself) return false;
  }
  return true;
}

// Of those from `position` on, which this step doesn't have yet. One whose last token is being
// computed frees its blocks anyway.
std::size_t Scheduler::victim_from(std::size_t position) const {
  const auto written = [&](std::size_t i) {
    const Sequence& sequence = sequences_[running_[i]];
    return std::pair(sequence.known - sequence.spec.input_tokens, -sequence.spec.input_tokens);
  };
  std::size_t victim = position;
  for (std::size_t i = position + 1; i < running_.size(); ++i) {
    if (sequences_[running_[i]].stopping) continue;
    if (spec_.victim == Victim::kLast || written(i) <= written(victim)) victim = i;
  }
  return victim;
}

void Scheduler::preempt(std::size_t position) {
  const SequenceId id = running_[position];
  Sequence& sequence = sequences_[id];
  const auto blocks = static_cast<std::uint32_t>(sequence.blocks.size());
  if (spec_.preemption == Preemption::kSwap && swap_used_ + blocks <= spec_.swap_blocks) {
    swap_used_ += sequence.swapped_blocks = blocks;
    plan_.swapped_out += blocks;
  } else {
    sequence.computed = 0;
  }
  sequence.lost = sequence.blocks;
  release_blocks(sequence);
  ++sequence.preemptions;
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(position));
  waiting_.push_front(id);
  plan_.preempted.push_back(sequence.spec.request);
  reserved_share_ = spec_.reservation.share;
}

// Room was made.
void Scheduler::schedule(SequenceId id, std::int64_t tokens) {
  Sequence& sequence = sequences_[id];
  const auto blocks = static_cast<std::size_t>(blocks_for(sequence.computed + tokens));
  while (sequence.blocks.size() < blocks) sequence.blocks.push_back(cache_.take());
  Scheduled entry{id, sequence.spec.request, sequence.computed, tokens};
  entry.prefill = sequence.in_prefill();
  advance(sequence, entry);
  budget_ -= tokens;
  plan_.entries.push_back(entry);
}

// A step in vain for an answer whose end the engine hasn't seen yet.
void Scheduler::schedule_stopping(SequenceId id) {
  Sequence& sequence = sequences_[id];
  if (!spec_.late_stop || sequence.overran) return;
  sequence.overran = true;
  const std::int64_t tokens = std::min(wanted_tokens(sequence, false), budget_);
  plan_.entries.push_back({id, sequence.spec.request, sequence.computed, tokens});
  budget_ -= tokens;
}

// Counts the entry's tokens as computed, and what it emits as known.
void Scheduler::advance(Sequence& sequence, Scheduled& entry) {
  if (entry.prefill) {
    sequence.computed += entry.tokens;
    entry.emitted = sequence.computed == sequence.known ? 1 : 0;
  } else {
    const auto drafted = static_cast<std::uint32_t>(entry.tokens - 1);
    const std::uint32_t accepted =
        drafted == 0 ? 0
                     : std::min(drafted, accepted_tokens(spec_.speculation.acceptance, seed_,
                                                         sequence.spec.request, sequence.rounds));
    ++sequence.rounds;
    entry.emitted = std::min<std::int64_t>(accepted + 1, sequence.end() - sequence.known);
    sequence.computed = sequence.known + entry.emitted - 1;
  }
  sequence.known += entry.emitted;
  sequence.stopping = sequence.known == sequence.end();
  if (spec_.prefix_caching) name_full_blocks(sequence);
}

void Scheduler::name_full_blocks(Sequence& sequence) {
  const auto full = static_cast<std::uint32_t>(sequence.computed / spec_.block_size);
  for (std::uint32_t& next = sequence.named_blocks; next < full; ++next) {
    const std::int64_t end = std::int64_t{next + 1} * spec_.block_size;
    cache_.name(sequence.blocks[next], key_of(sequence.spec, end), is_shared(sequence.spec, end));
  }
}

// The end of a sequence first: what many share is kept longest.
void Scheduler::release_blocks(Sequence& sequence) {
  for (std::size_t i = sequence.blocks.size(); i-- > 0;) cache_.release(sequence.blocks[i]);
  sequence.blocks.clear();
  sequence.named_blocks = 0;
}

void Scheduler::complete(const StepPlan& plan, std::vector<Emission>& out) {
  bool ended = false;
  for (const Scheduled& entry : plan.entries) {
    if (entry.emitted == 0) continue;
    Sequence& sequence = sequences_[entry.sequence];
    const bool first = sequence.delivered == 0;
    sequence.delivered += entry.emitted;
    const bool finished = sequence.delivered == sequence.spec.output_tokens;
    out.push_back({entry.request, sequence.spec.tag, entry.emitted, first, finished,
                   sequence.cached, sequence.preemptions});
    if (finished) finish(entry.sequence);
    ended |= finished;
  }
  if (!ended) return;
  std::erase_if(running_, [&](SequenceId id) { return sequences_[id].known == 0; });
}

// Marks it as gone, for the one pass over the running ones.
void Scheduler::finish(SequenceId id) {
  sequences_[id].known = 0;
  if (spec_.keeps_finished) {
    kept_.push_back(id);
  } else {
    forget(id);
  }
}

void Scheduler::forget(SequenceId id) {
  release_blocks(sequences_[id]);
  free_.push_back(id);
}

}  // namespace septet::serving
