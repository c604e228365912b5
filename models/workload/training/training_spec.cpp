#include "models/workload/training/training_spec.hpp"

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

}  // namespace

void check(const TrainingSpec& spec) {
  const Transformer& model = spec.model;
  positive("layers", model.layers);
  positive("hidden", model.hidden);
  positive("heads", model.heads);
  positive("kv_heads", model.kv_heads);
  positive("feed_forward", model.feed_forward);
  positive("vocabulary", model.vocabulary);
  positive("sequence", spec.sequence);
  positive("micro_batch", spec.micro_batch);
  positive("microbatches", spec.microbatches);
  positive("tensor", spec.tensor);
  positive("pipeline", spec.pipeline);
  positive("data", spec.data);
  positive("expert", spec.expert);
  positive("steps", spec.steps);
  divisible("hidden", model.hidden, "heads", model.heads);
  divisible("heads", model.heads, "kv_heads", model.kv_heads);
  divisible("heads", model.heads, "tensor", spec.tensor);
  divisible("kv_heads", model.kv_heads, "tensor", spec.tensor);
  divisible("feed_forward", model.feed_forward, "tensor", spec.tensor);
  divisible("vocabulary", model.vocabulary, "tensor", spec.tensor);
  divisible("layers", model.layers, "pipeline", spec.pipeline);
  divisible("data", spec.data, "expert", spec.expert);
  if (spec.expert > 1) {
    positive("experts", model.experts);
    divisible("experts", model.experts, "expert", spec.expert);
  }
  for (const SlowGpu& slow : spec.slow) {
    if (slow.device < spec.ranks()) continue;
    throw ConfigError::value({}, "training.slow.device", std::to_string(slow.device),
                             fmt::format("a GPU below {}", spec.ranks()));
  }
}

}  // namespace septet
