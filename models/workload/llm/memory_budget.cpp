#include "models/workload/llm/memory_budget.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::llm {
namespace {

using transformer::Model;
using transformer::Quantized;

constexpr double kPlain = 2;  // bytes of what isn't quantised

Bytes bytes(double count) { return whole_bytes(count); }

double gib(Bytes size) { return static_cast<double>(size.count()) / (1 << 30); }

// Heads of keys and values are copied where there are more ranks.
double groups_of_rank(const Deployment& deployment) {
  const double groups = deployment.model.groups();
  return std::max(1.0, groups / deployment.layout.tensor);
}

double linear_size(const Model& model) {
  return model.quantized == Quantized::kLinear ? bytes_of(model.weights) : kPlain;
}

// Of a layer, on one rank.
double attention_bytes(const Deployment& deployment) {
  const Model& model = deployment.model;
  double parameters = transformer::attention_parameters(model) / deployment.layout.tensor;
  const double extra =
      groups_of_rank(deployment) - static_cast<double>(model.groups()) / deployment.layout.tensor;
  if (!model.latent.used()) parameters += 2.0 * extra * model.hidden_size * model.head_dim();
  return parameters * linear_size(model);
}

double moe_bytes(const Deployment& deployment) {
  const Model& model = deployment.model;
  const Layout& layout = deployment.layout;
  const double experts = model.experts.num_experts * transformer::expert_parameters(model);
  return experts * bytes_of(model.weights) / layout.expert_gpus() +
         transformer::shared_parameters(model) * linear_size(model) / layout.tensor +
         static_cast<double>(model.experts.num_experts) * model.hidden_size * kPlain;
}

// The cache of one layer and token on one rank.
double layer_cache(const Deployment& deployment) {
  const Model& model = deployment.model;
  const double size = bytes_of(deployment.kv);
  if (model.latent.used()) {
    return (model.latent.kv_lora_rank + model.latent.qk_pos_emb_head_dim) * size;
  }
  return 2 * groups_of_rank(deployment) * model.head_dim() * size;
}

double share_of_stage(const Deployment& deployment) {
  const double layers = deployment.model.num_layers;
  return std::ceil(layers / deployment.layout.pipeline) / layers;
}

}  // namespace

Bytes weight_bytes(const Deployment& deployment) {
  const Model& model = deployment.model;
  const double dense = transformer::dense_parameters(model) * linear_size(model);
  const double layers = model.num_layers * attention_bytes(deployment) +
                        model.dense_layers() * dense / deployment.layout.tensor +
                        (model.experts.used() ? model.moe_layers() * moe_bytes(deployment) : 0.0);
  // One stage has the embedding, another one the head.
  const bool both = deployment.layout.pipeline == 1 && !model.tied_embeddings;
  const double ends = (both ? 2 : 1) * transformer::embedding_parameters(model) * kPlain;
  return bytes(layers * share_of_stage(deployment) + ends / deployment.layout.tensor);
}

double kv_bytes_per_token(const Deployment& deployment) {
  return layer_cache(deployment) * deployment.model.num_layers * share_of_stage(deployment);
}

double kv_bytes_per_token(const Deployment& deployment, double tokens) {
  const Model& model = deployment.model;
  if (model.windowed_layers == 0) return kv_bytes_per_token(deployment);
  const double seen = std::min(1.0, model.window_size / std::max(1.0, tokens));
  const double layers = (model.num_layers - model.windowed_layers) + model.windowed_layers * seen;
  return layer_cache(deployment) * layers * share_of_stage(deployment);
}

Bytes activation_bytes(const Deployment& deployment, const MemorySettings& settings) {
  constexpr double kResiduals = 4;  // the residual, the norm's output, the product's, one to spare
  constexpr double kLogits = 3.0 * 4;
  const Model& model = deployment.model;
  const double tensor = deployment.layout.tensor;
  const double gates = model.gated_linear_unit ? 3 : 2;  // gate, up and their product
  const double dense = model.dense_layers() > 0 ? model.ffn_hidden_size / tensor : 0.0;
  const double routed =
      model.experts.used()
          ? model.experts.moe_router_topk *
                (model.experts.moe_ffn_hidden_size / tensor + model.hidden_size / gates)
          : 0.0;
  const double columns = kResiduals * model.hidden_size + gates * std::max(dense, routed);
  return bytes(settings.max_tokens * columns * kPlain +
               static_cast<double>(settings.max_sequences) * model.vocab_size * kLogits);
}

Bytes reported_memory(Bytes data_sheet) {
  constexpr double kReported = 150'109'880'320.0 / (141.0 * (1 << 30));
  constexpr double kGigabyte = 1e9;
  const double gigabytes = static_cast<double>(data_sheet.count()) / kGigabyte;
  return Bytes(std::llround(gigabytes * (1 << 30) * kReported));
}

MemoryBudget memory_budget(const Deployment& deployment, const MemorySettings& settings,
                           Bytes gpu_memory) {
  MemoryBudget out;
  out.total = gpu_memory;
  out.weights = weight_bytes(deployment);
  out.activations = activation_bytes(deployment, settings);
  out.graphs = settings.graphs;
  out.other = settings.other;
  const Bytes rest = out.activations + out.graphs + out.other;
  const auto share = [&](Bytes of) {
    return Bytes(std::llround(settings.fraction * static_cast<double>(of.count())));
  };
  out.limit = settings.of == FractionOf::kFree ? gpu_memory : share(gpu_memory);
  if (settings.of == FractionOf::kTotal) out.kv = out.limit - out.weights - rest;
  if (settings.of == FractionOf::kFree) out.kv = share(gpu_memory - out.weights - rest);
  if (settings.of == FractionOf::kStatic) {
    out.kv = std::min(out.limit - out.weights, gpu_memory - out.weights - rest);
  }
  const double window = deployment.model.max_position_embeddings;
  const double token =
      settings.windows ? kv_bytes_per_token(deployment, window) : kv_bytes_per_token(deployment);
  out.block = bytes(token * settings.block_tokens);
  out.kv_blocks = std::max<std::int64_t>(0, out.kv.count() / out.block.count());
  out.kv_tokens = out.kv_blocks * settings.block_tokens;
  if (out.kv_blocks == 0) {
    throw ConfigError({}, fmt::format("{} does not fit: {} of the {:.1f} GiB that the engine may "
                                      "use, {:.2f} GiB more are needed for one KV block",
                                      deployment.model.name, sum_text(out), gib(out.limit),
                                      gib(out.block - std::min(out.kv, Bytes(0)))));
  }
  return out;
}

std::string sum_text(const MemoryBudget& budget) {
  const Bytes sum = budget.weights + budget.activations + budget.graphs + budget.other;
  return fmt::format(
      "weights {:.1f} GiB + activations {:.1f} GiB + graphs {:.1f} GiB + other {:.1f} GiB = {:.1f} "
      "GiB",
      gib(budget.weights), gib(budget.activations), gib(budget.graphs), gib(budget.other),
      gib(sum));
}

}  // namespace septet::llm
