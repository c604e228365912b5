#include "models/workload/training/training_spec.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet {
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
void check_active_experts(const Transformer& model) {
  positive("model.active_experts", model.active_experts);
  if (model.active_experts <= std::max(model.experts, 1U)) return;
  throw ConfigError::value(
      {}, "training.model.active_experts", std::to_string(model.active_experts),
      model.experts == 0 ? std::string("1 without training.model.experts")
                         : fmt::format("at most training.model.experts, {}", model.experts));
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
  positive("model.layers", model.layers);
  positive("model.hidden", model.hidden);
  positive("model.heads", model.heads);
  positive("model.kv_heads", model.kv_heads);
  positive("model.feed_forward", model.feed_forward);
  positive("model.vocabulary", model.vocabulary);
  positive("sequence", spec.sequence);
  positive("micro_batch", spec.micro_batch);
  positive("microbatches", spec.microbatches);
  positive("tensor", spec.tensor);
  positive("pipeline", spec.pipeline);
  positive("data", spec.data);
  positive("expert", spec.expert);
  positive("steps", spec.steps);
  divisible("model.hidden", model.hidden, "model.heads", model.heads);
  divisible("model.heads", model.heads, "model.kv_heads", model.kv_heads);
  divisible("model.heads", model.heads, "tensor", spec.tensor);
  divisible("model.kv_heads", model.kv_heads, "tensor", spec.tensor);
  divisible("model.feed_forward", model.feed_forward, "tensor", spec.tensor);
  divisible("model.vocabulary", model.vocabulary, "tensor", spec.tensor);
  divisible("model.layers", model.layers, "pipeline", spec.pipeline);
  divisible("data", spec.data, "expert", spec.expert);
  if (spec.expert > 1) {
    positive("model.experts", model.experts);
    divisible("model.experts", model.experts, "expert", spec.expert);
  }
  check_active_experts(model);
  if (spec.sequence_parallel) divisible("sequence", spec.sequence, "tensor", spec.tensor);
  check_slow(spec);
}

}  // namespace septet
