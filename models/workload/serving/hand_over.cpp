// Disaggregation: sequences that come from another engine, and blocks kept for one that fetches
// them.
#include <algorithm>

#include "core/base/error.hpp"
#include "models/workload/serving/scheduler.hpp"

namespace septet::serving {

Entry Scheduler::receive(const SequenceSpec& spec) {
  const Entry refused = refusal(spec);
  if (refused == Entry::kQueued) incoming_.push_back(new_sequence(spec));
  return refused;
}

// Sequences that were preempted come first: they are closer to their end.
std::optional<std::uint32_t> Scheduler::stage() {
  if (incoming_.empty() || !waiting_.empty()) return std::nullopt;
  const auto running = static_cast<std::int64_t>(running_.size() + arrived_.size());
  if (running >= spec_.max_num_seqs) return std::nullopt;
  Sequence& sequence = sequences_[incoming_.front()];
  found_.clear();
  if (!has_room(sequence, sequence.spec.input_tokens)) return std::nullopt;
  const auto blocks = static_cast<std::size_t>(blocks_for(sequence.spec.input_tokens));
  while (sequence.blocks.size() < blocks) sequence.blocks.push_back(cache_.take());
  staged_.push_back(incoming_.front());
  incoming_.pop_front();
  return sequence.spec.tag;
}

bool Scheduler::arrive(std::uint32_t tag, bool first_known) {
  const auto found =
      std::ranges::find_if(staged_, [&](SequenceId id) { return sequences_[id].spec.tag == tag; });
  if (found == staged_.end()) return false;
  Sequence& sequence = sequences_[*found];
  sequence.computed = sequence.spec.input_tokens - (first_known ? 0 : 1);
  sequence.known = sequence.spec.input_tokens + (first_known ? 1 : 0);
  sequence.delivered = first_known ? 1 : 0;
  arrived_.push_back(*found);
  staged_.erase(found);
  return true;
}

bool Scheduler::release(std::uint32_t tag) {
  const auto found =
      std::ranges::find_if(kept_, [&](SequenceId id) { return sequences_[id].spec.tag == tag; });
  if (found == kept_.end()) return false;
  forget(*found);
  kept_.erase(found);
  return true;
}

void Scheduler::run_arrived() {
  while (!arrived_.empty() && static_cast<std::int64_t>(running_.size()) < spec_.max_num_seqs) {
    const SequenceId id = arrived_.front();
    arrived_.pop_front();
    running_.push_back(id);
    sequences_[id].admitted = true;
    plan_.admitted.push_back(sequences_[id].spec.tag);
  }
}

}  // namespace septet::serving
