#include "models/workload/llm/step_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "models/workload/llm/engine_layer.hpp"
#include "models/workload/transformer/transformer_step.hpp"

namespace septet::llm {
namespace {

using transformer::StepPart;

// Layers of a stage by kind.
struct Layers {
  std::uint64_t dense = 0;
  std::uint64_t moe = 0;
};

// Stages take equal shares, the first ones one layer more where they aren't; dense layers are the
// first ones of a mixture.
Layers layers_of(const Deployment& deployment, std::uint32_t stage) {
  const transformer::Model& model = deployment.model;
  const std::uint32_t stages = deployment.layout.pipeline;
  const std::uint32_t more = model.num_layers % stages;
  const std::uint32_t each = model.num_layers / stages;
  const std::uint32_t first = stage * each + std::min(stage, more);
  const std::uint32_t last = first + each + (stage < more ? 1 : 0);
  const std::uint32_t dense = model.dense_layers();
  Layers out;
  out.dense = std::min(last, dense) - std::min(first, dense);
  out.moe = last - first - out.dense;
  return out;
}

// Layers with a window are spread evenly over the others.
std::uint64_t windowed_of(const transformer::Model& model, std::uint64_t layers) {
  return static_cast<std::uint64_t>(
      std::llround(static_cast<double>(layers) * model.windowed_layers / model.num_layers));
}

Operators layer(const EngineStep& step, bool moe, bool windowed) {
  Operators out;
  if (step.model().latent.used()) {
    add_latent_block(step, out);
  } else {
    add_attention_block(step, windowed, out);
  }
  moe ? add_experts(step, out) : add_dense(step, out);
  return out;
}

void add_layers(const EngineStep& step, bool moe, std::uint64_t count, std::vector<StepPart>& out) {
  const std::uint64_t windowed = windowed_of(step.model(), count);
  if (windowed > 0) out.push_back({layer(step, moe, true), windowed});
  if (count > windowed) out.push_back({layer(step, moe, false), count - windowed});
}

std::vector<StepPart> engine_parts(const EngineStep& step, std::uint32_t stage) {
  const std::uint32_t stages = step.deployment.layout.pipeline;
  const Layers layers = layers_of(step.deployment, stage);
  std::vector<StepPart> out;
  if (stage == 0) add_start(step, out.emplace_back().operators);
  add_layers(step, false, layers.dense, out);
  add_layers(step, true, layers.moe, out);
  if (stage + 1 == stages) add_end(step, out.emplace_back().operators);
  return out;
}

transformer::TransformerStep plain_step(const Deployment& deployment, const StepShape& shape) {
  const transformer::Model& model = deployment.model;
  const bool plain = model.gated_linear_unit && !model.experts.used() && !model.latent.used() &&
                     model.windowed_layers == 0 && deployment.layout.pipeline == 1;
  if (!plain || shape.groups.size() != 1) {
    throw ModelError(
        "style pytorch supports only dense models with a gated MLP on one pipeline stage, and "
        "batches of equal sequences");
  }
  const AttentionGroup& group = shape.groups.front();
  transformer::TransformerStep step;
  step.shape = {model.num_layers,          model.hidden_size, model.ffn_hidden_size,
                model.num_attention_heads, model.groups(),    model.head_dim(),
                model.vocab_size};
  step.queries = static_cast<std::uint64_t>(std::llround(group.queries));
  step.batch = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(shape.rows / static_cast<double>(step.queries)));
  step.keys = static_cast<std::uint64_t>(std::llround(group.keys));
  step.tensor_parallel = deployment.layout.tensor;
  step.type = transformer::computed_in(model.weights);
  return step;
}

std::vector<StepPart> plain_parts(const gpu::GpuSpec& gpu,
                                  const transformer::TransformerStep& step) {
  return {{transformer::layer_operators(gpu, step), step.shape.layers},
          {transformer::outer_operators(gpu, step), 1}};
}

}  // namespace

StepModel::StepModel(const gpu::GpuSpec& gpu, Deployment deployment)
    : gpu_(gpu), deployment_(std::move(deployment)) {
  check(deployment_);
}

std::vector<StepPart> StepModel::parts(const StepShape& shape, std::uint32_t stage) const {
  if (deployment_.style == Style::kPyTorch) {
    return plain_parts(gpu_, plain_step(deployment_, shape));
  }
  return engine_parts({gpu_, deployment_, shape}, stage);
}

}  // namespace septet::llm
