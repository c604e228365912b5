#include "models/workload/training/training_spec.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::training {
namespace {

void positive(const char* key, std::uint32_t got) {
  if (got == 0) throw ConfigError::value({}, std::string("training.") + key, "0", "at least 1");
}

// `key` must be divisible by `by`.
void divisible(const char* key, std::uint32_t got, const char* by, std::uint32_t divisor) {
  if (got % divisor == 0) return;
  throw ConfigError::value({}, std::string("training.") + key, std::to_string(got),
                           fmt::format("a multiple of training.{}, {}", by, divisor));
}

// A dense MLP counts as one expert.
void check_moe_top_k(const Transformer& model) {
  positive("model.moe_top_k", model.moe_top_k);
  if (model.moe_top_k <= std::max(model.num_experts, 1U)) return;
  throw ConfigError::value(
      {}, "training.model.moe_top_k", std::to_string(model.moe_top_k),
      model.num_experts == 0
          ? std::string("1 without training.model.num_experts")
          : fmt::format("at most training.model.num_experts, {}", model.num_experts));
}

void check_slow(const TrainingSpec& spec) {
  std::set<std::uint32_t> known;
  for (const SlowGpu& slow : spec.slow) {
    const auto fail = [&](const std::string& got, const std::string& wanted) {
      throw ConfigError::value({}, "training.slow.device", got, wanted);
    };
    const std::string device = std::to_string(slow.device);
    if (slow.device >= spec.ranks()) fail(device, fmt::format("a GPU below {}", spec.ranks()));
    if (!known.insert(slow.device).second) fail("GPU " + device + " twice", "each GPU once");
  }
}

}  // namespace

void check(const TrainingSpec& spec) {
  const Transformer& model = spec.model;
  positive("model.num_layers", model.num_layers);
  positive("model.hidden_size", model.hidden_size);
  positive("model.num_attention_heads", model.num_attention_heads);
  positive("model.num_query_groups", model.num_query_groups);
  positive("model.ffn_hidden_size", model.ffn_hidden_size);
  positive("model.vocab_size", model.vocab_size);
  positive("seq_length", spec.seq_length);
  positive("micro_batch_size", spec.micro_batch_size);
  positive("num_microbatches", spec.num_microbatches);
  positive("tensor_parallel_size", spec.tensor_parallel_size);
  positive("pipeline_parallel_size", spec.pipeline_parallel_size);
  positive("data_parallel_size", spec.data_parallel_size);
  positive("expert_parallel_size", spec.expert_parallel_size);
  positive("steps", spec.steps);
  divisible("model.hidden_size", model.hidden_size, "model.num_attention_heads",
            model.num_attention_heads);
  divisible("model.num_attention_heads", model.num_attention_heads, "model.num_query_groups",
            model.num_query_groups);
  divisible("model.num_attention_heads", model.num_attention_heads, "tensor_parallel_size",
            spec.tensor_parallel_size);
  divisible("model.num_query_groups", model.num_query_groups, "tensor_parallel_size",
            spec.tensor_parallel_size);
  divisible("model.ffn_hidden_size", model.ffn_hidden_size, "tensor_parallel_size",
            spec.tensor_parallel_size);
  divisible("model.vocab_size", model.vocab_size, "tensor_parallel_size",
            spec.tensor_parallel_size);
  divisible("model.num_layers", model.num_layers, "pipeline_parallel_size",
            spec.pipeline_parallel_size);
  divisible("data_parallel_size", spec.data_parallel_size, "expert_parallel_size",
            spec.expert_parallel_size);
  if (spec.expert_parallel_size > 1) {
    positive("model.num_experts", model.num_experts);
    divisible("model.num_experts", model.num_experts, "expert_parallel_size",
              spec.expert_parallel_size);
  }
  check_moe_top_k(model);
  if (spec.sequence_parallel)
    divisible("seq_length", spec.seq_length, "tensor_parallel_size", spec.tensor_parallel_size);
  check_slow(spec);
}

}  // namespace septet::training
