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

void at_most(const char* key, std::uint32_t got, std::uint32_t most, const std::string& what) {
  if (got <= most) return;
  throw ConfigError::value({}, std::string("training.") + key, std::to_string(got),
                           fmt::format("at most {}, {}", what, most));
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

void check_counts(const TrainingSpec& spec) {
  positive("seq_length", spec.seq_length);
  positive("micro_batch_size", spec.micro_batch_size);
  positive("num_microbatches", spec.num_microbatches);
  positive("tensor_parallel_size", spec.tensor_parallel_size);
  positive("context_parallel_size", spec.context_parallel_size);
  positive("pipeline_parallel_size", spec.pipeline_parallel_size);
  positive("virtual_pipeline_size", spec.virtual_pipeline_size);
  positive("data_parallel_size", spec.data_parallel_size);
  positive("expert_parallel_size", spec.expert_parallel_size);
  positive("expert_tensor_parallel_size", spec.expert_tensor_parallel_size);
  positive("steps", spec.steps);
}

// More tensor ranks than heads of keys and values: each of these is on several.
void check_tensor(const TrainingSpec& spec) {
  const transformer::Model& model = spec.model;
  const std::uint32_t tensor = spec.tensor_parallel_size;
  divisible("model.num_attention_heads", model.num_attention_heads, "tensor_parallel_size", tensor);
  if (model.groups() % tensor != 0 && tensor % model.groups() != 0)
    divisible("model.num_query_groups", model.groups(), "tensor_parallel_size", tensor);
  if (model.dense_layers() > 0)
    divisible("model.ffn_hidden_size", model.ffn_hidden_size, "tensor_parallel_size", tensor);
  if (spec.sequence_parallel)
    divisible("seq_length", spec.seq_length, "tensor_parallel_size", tensor);
}

void check_pipeline(const TrainingSpec& spec) {
  const std::uint32_t pieces = spec.pipeline_parallel_size * spec.virtual_pipeline_size;
  const std::uint32_t layers = spec.model.num_layers + spec.model.mtp_layers;
  if (spec.virtual_pipeline_size > 1 && spec.pipeline_parallel_size == 1) {
    throw ConfigError::value({}, "training.virtual_pipeline_size",
                             std::to_string(spec.virtual_pipeline_size),
                             "1 without training.pipeline_parallel_size");
  }
  // Embedding and head may be pieces of their own.
  at_most("pipeline_parallel_size", pieces, layers + 2,
          "model.num_layers and two, for stages and their chunks");
}

void check_experts(const TrainingSpec& spec) {
  if (spec.expert_parallel_size == 1 && spec.expert_tensor_parallel_size == 1) return;
  const transformer::Experts& experts = spec.model.experts;
  positive("model.experts.num_experts", experts.num_experts);
  divisible("model.experts.num_experts", experts.num_experts, "expert_parallel_size",
            spec.expert_parallel_size);
  const std::uint32_t gpus = spec.ranks() / spec.pipeline_parallel_size;
  const std::uint32_t group = spec.expert_parallel_size * spec.expert_tensor_parallel_size;
  if (gpus % group != 0) {
    throw ConfigError::value({}, "training.expert_parallel_size",
                             std::to_string(spec.expert_parallel_size),
                             fmt::format("a divisor of the {} GPUs of a stage", gpus));
  }
}

void check_shards(const TrainingSpec& spec) {
  at_most("zero_stage", spec.zero_stage, 3, "the stages of ZeRO");
  if (spec.shard_size == 0) return;
  if (spec.same_parameters() % spec.shard_size != 0) {
    throw ConfigError::value(
        {}, "training.shard_size", std::to_string(spec.shard_size),
        fmt::format("a divisor of the {} GPUs with the same parameters", spec.same_parameters()));
  }
}

}  // namespace

std::uint32_t TrainingSpec::same_experts() const {
  const std::uint32_t group = expert_parallel_size * expert_tensor_parallel_size;
  return std::max(1U, ranks() / pipeline_parallel_size / group);
}

void check(const TrainingSpec& spec) {
  try {
    transformer::check(spec.model);
  } catch (const ConfigError& error) {
    throw ConfigError({}, std::string("training.") + error.what());
  }
  check_counts(spec);
  divisible("seq_length", spec.seq_length, "context_parallel_size", spec.context_parallel_size);
  check_tensor(spec);
  check_pipeline(spec);
  check_experts(spec);
  check_shards(spec);
  check_slow(spec);
}

}  // namespace septet::training
