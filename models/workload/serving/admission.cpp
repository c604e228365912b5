// Waiting sequences: which of them may run.
#include <algorithm>
#include <cmath>

#include "models/workload/serving/scheduler.hpp"

namespace septet::serving {

void Scheduler::admit_waiting() {
  while (!waiting_.empty() && budget_ > 0 &&
         static_cast<std::int64_t>(running_.size()) < spec_.max_num_seqs) {
    const SequenceId id = waiting_.front();
    if (!admit(id)) return;
  }
}

// The first waiting one, unless there is no room for it.
bool Scheduler::admit(SequenceId id) {
  Sequence& sequence = sequences_[id];
  found_.clear();
  if (sequence.swapped_blocks == 0) {
    find_prefix(sequence, found_);
    sequence.computed = static_cast<std::int64_t>(found_.size()) * spec_.block_size;
  }
  const std::int64_t wanted = wanted_tokens(sequence, sequence.in_prefill());
  const std::int64_t tokens = spec_.chunked_prefill ? std::min(wanted, budget_) : wanted;
  // What a preemption lost may be more than a step without chunks takes: it gets a step of its own.
  const bool fits = tokens <= budget_ || budget_ == spec_.max_num_batched_tokens;
  if (!fits || !has_room(sequence, tokens)) {
    if (sequence.swapped_blocks == 0) sequence.computed = 0;
    return false;
  }
  waiting_.pop_front();
  running_.push_back(id);
  begin(sequence);
  schedule(id, tokens);
  return true;
}

// Whether there are blocks for `tokens` of it and for what is kept for running sequences. Blocks
// that were found are taken from the unused ones where nobody uses them. One that runs alone needs
// nothing to be kept.
bool Scheduler::has_room(const Sequence& sequence, std::int64_t tokens) const {
  const std::int64_t shared =
      std::ranges::count_if(found_, [&](BlockId block) { return cache_.in_use(block); });
  const std::int64_t unused = cache_.unused();
  if (blocks_for(sequence.computed + tokens) - shared > unused) return false;
  if (running_.empty() || spec_.reservation.share == 0) return true;
  const std::int64_t whole = blocks_for(sequence.known + own_reservation(sequence)) - shared;
  return whole + reserved_blocks() <= unused;
}

// Takes over what was found of it in the cache, or in the host's memory.
void Scheduler::begin(Sequence& sequence) {
  plan_.swapped_in += sequence.swapped_blocks;
  swap_used_ -= sequence.swapped_blocks;
  sequence.swapped_blocks = 0;
  for (const BlockId block : found_) cache_.use(block);
  sequence.blocks = found_;
  sequence.named_blocks = static_cast<std::uint32_t>(found_.size());
  if (sequence.admitted) return;
  sequence.admitted = true;
  sequence.cached = sequence.computed;
  plan_.admitted.push_back(sequence.spec.tag);
}

// The blocks that hold the sequence's beginning: whole ones, and never all of its tokens, since the
// last one has to be computed for its logits.
void Scheduler::find_prefix(const Sequence& sequence, std::vector<BlockId>& found) const {
  const bool may_hit = !sequence.spec.pieces.empty() || sequence.preemptions > 0;
  if (!spec_.prefix_caching || !may_hit) return;
  const std::int64_t most = (sequence.known - 1) / spec_.block_size;
  for (std::int64_t i = 0; i < most; ++i) {
    const std::optional<BlockId> block = block_with(sequence, i);
    if (!block) return;
    found.push_back(*block);
  }
}

// The block that holds the sequence's `index`-th, of its own or of others.
std::optional<BlockId> Scheduler::block_with(const Sequence& sequence, std::int64_t index) const {
  const std::int64_t end = (index + 1) * spec_.block_size;
  const BlockKey key = key_of(sequence.spec, end);
  if (is_shared(sequence.spec, end)) return cache_.find(key);
  const auto place = static_cast<std::size_t>(index);
  const bool kept = place < sequence.lost.size() && cache_.holds(sequence.lost[place], key);
  return kept ? std::optional(sequence.lost[place]) : std::nullopt;
}

// Room kept for what running sequences have yet to compute and to write.
std::int64_t Scheduler::reserved_blocks() const {
  std::int64_t sum = 0;
  for (const SequenceId id : running_) {
    const Sequence& sequence = sequences_[id];
    const auto kept = static_cast<std::int64_t>(
        std::ceil(reserved_share_ * static_cast<double>(own_reservation(sequence))));
    sum += std::max<std::int64_t>(
        0, blocks_for(sequence.known + kept) - static_cast<std::int64_t>(sequence.blocks.size()));
  }
  return sum;
}

// The tokens that it still has to write, as far as they count.
std::int64_t Scheduler::own_reservation(const Sequence& sequence) const {
  const std::int64_t missing = sequence.end() - sequence.known;
  const auto& most = spec_.reservation.most_tokens;
  return most ? std::min(missing, *most) : missing;
}

}  // namespace septet::serving
