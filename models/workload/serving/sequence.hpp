// One request inside an engine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/workload/requests/request.hpp"
#include "models/workload/serving/kv_cache.hpp"

namespace septet::serving {

// What a request brings: the request outlives the sequence.
struct SequenceSpec {
  std::uint64_t request = 0;  // its number
  std::int64_t input_tokens = 1;
  std::int64_t output_tokens = 1;
  std::span<const requests::Piece> pieces{};
  std::uint32_t tag = 0;  // comes back with its emissions
};

// `known` runs ahead of `delivered` while the step that samples a token is being computed.
struct Sequence {
  SequenceSpec spec;
  std::int64_t known = 0;      // tokens of prompt and answer that the next step may work on
  std::int64_t computed = 0;   // of these, those whose keys and values are in the cache
  std::int64_t delivered = 0;  // tokens of the answer that have left
  std::int64_t cached = 0;     // tokens of the prompt found in the cache at its first admission
  std::uint64_t rounds = 0;    // of speculation
  std::uint32_t preemptions = 0;
  std::uint32_t swapped_blocks = 0;  // in the host's memory
  std::uint32_t named_blocks = 0;    // of `blocks`, those whose content is named
  bool admitted = false;             // at least once
  bool stopping = false;  // its last token is being computed: no more steps, or one in vain
  bool overran = false;   // that step in vain is done
  std::vector<BlockId> blocks{};
  std::vector<BlockId> lost{};  // by the last preemption: they may still hold what they held

  std::int64_t end() const { return spec.input_tokens + spec.output_tokens; }
  bool in_prefill() const { return known - computed > 1 || known == spec.input_tokens; }
};

// Whether other sequences may have the same tokens up to `end`.
bool is_shared(const SequenceSpec& spec, std::int64_t end);

// What the tokens before `end` are: equal for two sequences that begin with the same tokens.
BlockKey key_of(const SequenceSpec& spec, std::int64_t end);

}  // namespace septet::serving
