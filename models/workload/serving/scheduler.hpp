// The scheduler of a serving engine: continuous batching over a paged KV cache.
//
// A state machine without a clock. `plan` chooses the next step and counts its tokens as computed;
// `complete` hands out what it produced and frees what ended. An engine that overlaps scheduling
// with the GPU plans the next step before it completes the one that runs.
//
// Modelled after vLLM V1's scheduler (running sequences first, one budget of tokens, prompts cut to
// what is left of it, preemption of the last one, nothing admitted in a step that preempted) and
// SGLang's (prompts first, room reserved for answers); see `SchedulerSpec`. Ignored: priorities,
// structured output, adapters, encoders.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/base/enum_texts.hpp"
#include "models/workload/serving/kv_cache.hpp"
#include "models/workload/serving/scheduler_spec.hpp"
#include "models/workload/serving/sequence.hpp"
#include "models/workload/serving/step_plan.hpp"

namespace septet::serving {

// What becomes of a request that comes in.
enum class Entry : std::uint8_t { kQueued, kBeyondModel, kBeyondCache, kBeyondStep, kQueueFull };
constexpr auto enum_table(std::type_identity<Entry>) {
  return enum_texts<Entry>("queued", "longer than max_model_len", "longer than the KV cache",
                           "a prompt longer than max_num_batched_tokens, without chunked prefill",
                           "the queue is full");
}

class Scheduler {
 public:
  // Throws ModelError where `spec` contradicts itself. `seed`: of speculation.
  explicit Scheduler(const SchedulerSpec& spec, std::uint64_t seed = 1);

  Entry add(const SequenceSpec& sequence);
  StepPlan plan();
  // Steps complete in the order of their plans.
  void complete(const StepPlan& plan, std::vector<Emission>& out);

  // Disaggregation, the receiver: sequences whose prompts another engine computed. `receive` queues
  // one; `stage` gives the first of them the blocks of its whole prompt, where there is room, and
  // returns its tag: its keys and values may come now; `arrive` lets it run. `first_known`: the
  // first token of the answer has come with them; else the last token of the prompt is computed
  // again, for its logits.
  Entry receive(const SequenceSpec& sequence);
  std::optional<std::uint32_t> stage();
  bool arrive(std::uint32_t tag, bool first_known);  // false: it was not staged here
  // The sender: the blocks of a finished sequence that were kept. False: not kept here.
  bool release(std::uint32_t tag);

  std::size_t waiting() const { return waiting_.size() + incoming_.size(); }
  std::size_t running() const { return running_.size(); }
  const KvCache& cache() const { return cache_; }
  const SchedulerSpec& spec() const { return spec_; }

 private:
  enum class Kinds : std::uint8_t { kAll, kPrefills, kDecodes };

  void schedule_running(Kinds kinds);
  void schedule(SequenceId id, std::int64_t tokens);
  void schedule_stopping(SequenceId id);
  std::int64_t wanted_tokens(const Sequence& sequence, bool prefill) const;
  bool make_room(std::size_t position, std::int64_t tokens);
  std::size_t victim_from(std::size_t position) const;
  void preempt(std::size_t position);

  Entry refusal(const SequenceSpec& spec) const;
  SequenceId new_sequence(const SequenceSpec& spec);
  void run_arrived();
  void forget(SequenceId id);

  void admit_waiting();
  bool admit(SequenceId id);
  bool has_room(const Sequence& sequence, std::int64_t tokens) const;
  void begin(Sequence& sequence);
  void find_prefix(const Sequence& sequence, std::vector<BlockId>& found) const;
  std::optional<BlockId> block_with(const Sequence& sequence, std::int64_t index) const;
  std::int64_t reserved_blocks() const;
  std::int64_t own_reservation(const Sequence& sequence) const;

  void advance(Sequence& sequence, Scheduled& entry);
  void name_full_blocks(Sequence& sequence);
  void release_blocks(Sequence& sequence);
  void finish(SequenceId id);
  std::int64_t blocks_for(std::int64_t tokens) const {
    return (tokens + spec_.block_size - 1) / spec_.block_size;
  }

  SchedulerSpec spec_;
  std::uint64_t seed_;
  KvCache cache_;
  std::vector<Sequence> sequences_;
  std::vector<SequenceId> free_;
  std::vector<SequenceId> running_;  // in the order of their admission
  std::deque<SequenceId> waiting_;
  std::deque<SequenceId> incoming_;  // received, without blocks
  std::vector<SequenceId> staged_;   // with blocks, which are being filled
  std::deque<SequenceId> arrived_;   // filled
  std::vector<SequenceId> kept_;     // finished, with their blocks
  double reserved_share_ = 0;
  std::uint32_t swap_used_ = 0;
  std::int64_t budget_ = 0;  // tokens left in the step that is being planned
  StepPlan plan_;            // that step
  std::vector<BlockId> found_;
};

}  // namespace septet::serving
