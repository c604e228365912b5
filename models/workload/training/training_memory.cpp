#include "models/workload/training/training_memory.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/workload/training/step_time.hpp"

namespace septet::training {
namespace {

constexpr double kHalfSize = 2;
constexpr double kGibi = 1024.0 * 1024 * 1024;
// The CUDA context and cuBLAS's workspaces, beside what a process's communicators allocate (NCCL:
// channels of 4 MiB each way for each peer). Seen in nvidia-smi beside the allocator's own figure.
constexpr double kContext = 0.6e9;
constexpr double kCommunicators = 0.6e9;
// Blocks of PyTorch's caching allocator that fit nothing: a few per cent of what comes and goes.
constexpr double kFragmented = 0.02;

Bytes whole(double bytes) { return Bytes(static_cast<std::int64_t>(std::ceil(bytes))); }

struct StateSizes {
  double parameter = 0, gradient = 0, optimizer = 0;
};

StateSizes sizes_of(const Style& style) {
  const double sums = style.reduce_in_fp32 ? 4 : 2;
  switch (style.states) {
    case States::kMasters:
      return {2, sums, 12};
    case States::kAutocast:
      return {4, 4, 8};
    case States::kHalf:
      return {2, 2, 4};
  }
  return {};
}

// What a layer keeps, by who may compute it again.
struct Kept {
  double input = 0;
  double norms = 0;      // outputs of norms, input of the second one, masks
  double attention = 0;  // scores and what belongs to them
  double projected = 0;  // queries, keys, values and the result
  double mlp = 0;
  double activated = 0;  // the activation's output

  double all() const { return input + norms + attention + projected + mlp + activated; }
};

double projected_columns(const transformer::Model& model) {
  const double heads = model.num_attention_heads;
  if (!model.latent.used()) return model.head_dim() * (2 * heads + 2.0 * model.groups());
  const auto& latent = model.latent;
  return heads *
             (2.0 * (latent.qk_head_dim + latent.qk_pos_emb_head_dim) + 2.0 * latent.v_head_dim) +
         latent.q_lora_rank + latent.kv_lora_rank;
}

Kept kept_by(const TrainingSpec& spec, bool experts) {
  const transformer::Model& model = spec.model;
  const Style& style = spec.style;
  const double tokens = spec.tokens();
  const double tensor = spec.tensor_parallel_size;
  const double own = spec.sequence_parallel ? tokens / tensor : tokens;
  const double hidden = model.hidden_size;
  const double stored = style.fp8() ? 1 : kHalfSize;  // an input of a product
  const bool eager = style.framework == Framework::kPyTorch;
  Kept out;
  out.input = own * kHalfSize * hidden;
  out.norms = own * hidden * (kHalfSize + 2 * stored + (style.attention_dropout ? 2 : 0));
  out.projected = tokens * kHalfSize * projected_columns(model) / tensor;
  if (eager) out.projected += tokens * kHalfSize * hidden / tensor;  // the result, laid out anew
  const double pairs = tokens * model.num_attention_heads * spec.seq_length / tensor;
  out.attention = style.flash_attention ? tokens * 4 * model.num_attention_heads / tensor
                                        : pairs * (style.attention_dropout ? 5 : 2);
  const double gates = model.gated_linear_unit ? 2 : 1;
  const double more = eager && model.gated_linear_unit ? kHalfSize : 0;  // SiLU alone
  const auto mlp = [&](double rows, double width) {
    out.mlp += rows * (gates * kHalfSize + more) * width;
    out.activated += rows * stored * width;
  };
  if (!experts) {
    mlp(tokens, model.ffn_hidden_size / tensor);
    return out;
  }
  const double routed =
      tokens / tensor * model.experts.moe_router_topk * spec.expert_tensor_parallel_size;
  mlp(routed,
      static_cast<double>(model.experts.moe_ffn_hidden_size) / spec.expert_tensor_parallel_size);
  // Sorted inputs, and outputs before their sum.
  out.mlp += routed * hidden * (stored + (style.fused_dispatch ? 0 : kHalfSize));
  mlp(tokens, model.experts.moe_shared_expert_intermediate_size / tensor);
  return out;
}

// What is left of it until the backward pass.
double stored_activations(const TrainingSpec& spec, bool experts, bool recomputed) {
  Kept kept = kept_by(spec, experts);
  const Recomputation& again = spec.recompute;
  if (recomputed) return kept.input;
  if (again.granularity != Granularity::kSelective) return kept.all();
  if (again.attention && !spec.style.flash_attention) kept.attention = 0;
  if (again.mlp) kept.mlp = kept.activated = 0;
  // XLA keeps the results of products alone.
  if (again.mlp && spec.style.framework == Framework::kXla) kept.norms = 0;
  if (again.activation) {
    kept.activated = 0;
    kept.norms /= 2;
  }
  if (again.up_projection) kept.projected /= 2;
  return kept.all();
}

struct Layers {
  double dense = 0, experts = 0;
  double count() const { return dense + experts; }
};

Layers layers_of(const TrainingSpec& spec, std::uint32_t stage) {
  const auto counts = layers_of_chunks(spec);
  const std::uint32_t stages = spec.pipeline_parallel_size;
  Layers out;
  std::uint32_t index = 0;
  for (std::uint32_t piece = 0; piece < stages * spec.virtual_pipeline_size; ++piece) {
    for (std::uint32_t l = 0; l < counts[piece % stages][piece / stages]; ++l, ++index) {
      if (piece % stages != stage) continue;
      const bool experts = spec.model.experts.used() && index >= spec.model.experts.dense_layers;
      ++(experts ? out.experts : out.dense);
    }
  }
  return out;
}

// Microbatches whose activations a stage keeps, the one that it computes among them.
double under_way(const TrainingSpec& spec, std::uint32_t stage) {
  const double behind = spec.pipeline_parallel_size - stage - 1.0;
  const double chunks = spec.virtual_pipeline_size;
  const double ahead = chunks == 1
                           ? behind + 1
                           : (2 * behind + (chunks - 1) * spec.pipeline_parallel_size + 1) / chunks;
  return std::min(ahead, static_cast<double>(spec.num_microbatches));
}

struct Parameters {
  double dense = 0, experts = 0;
};

Parameters parameters_of(const TrainingSpec& spec, std::uint32_t stage, const Layers& layers) {
  const transformer::Model& model = spec.model;
  const double tensor = spec.tensor_parallel_size;
  Parameters out;
  out.dense = layers.count() * attention_parameters(model) / tensor +
              layers.dense * dense_parameters(model) / tensor +
              layers.experts * shared_parameters(model) / tensor;
  out.experts = layers.experts * expert_parameters(model) * model.experts.num_experts /
                spec.expert_parallel_size / spec.expert_tensor_parallel_size;
  const bool first = stage == 0;
  const bool last = stage + 1 == spec.pipeline_parallel_size;
  const double tables = first && last ? (model.tied_embeddings ? 1 : 2) : first || last ? 1 : 0;
  out.dense += tables * embedding_parameters(model) / tensor;
  return out;
}

// Over the GPUs that share a state which ZeRO divides from `least` on.
double divided(const TrainingSpec& spec, const Parameters& parameters, std::uint32_t least) {
  if (spec.zero_stage < least) return parameters.dense + parameters.experts;
  return parameters.dense / spec.shards() +
         parameters.experts / std::min(spec.shards(), spec.same_experts());
}

// Of a fused or an eager loss; logits leave in 16 bits.
double logit_size(const Style& style) {
  switch (style.framework) {
    case Framework::kPyTorch:
      return 12;  // logarithms of the softmax, their gradient and that of the logits, 4 each
    case Framework::kComposer:
      return 8;  // logarithms of the softmax and the gradient of the logits
    case Framework::kTorchCompile:
    case Framework::kXla:
      return 5;  // logits and their gradient in 16 bits, sums of rows
    default:
      return 10;  // logits in 16 bits; in 32, and the exponentials
  }
}

// PyTorch frees gradients after each step; they come as activations go. Buckets of DDP stay, and so
// do sums over microbatches.
bool gradients_stay(const TrainingSpec& spec) {
  const Framework framework = spec.style.framework;
  const bool modules = framework == Framework::kPyTorch || framework == Framework::kTorchCompile ||
                       framework == Framework::kComposer;
  const bool buckets = spec.data_parallel_size > 1 && spec.zero_stage == 0;
  return !modules || buckets || spec.num_microbatches > 1;
}

double activations_of(const TrainingSpec& spec, std::uint32_t stage, const Layers& layers,
                      double logits) {
  const bool full = spec.recompute.granularity == Granularity::kFull;
  const double again =
      full ? (spec.recompute.layers == 0 ? layers.count()
                                         : std::min<double>(spec.recompute.layers, layers.count()))
           : 0;
  const double share = layers.count() > 0 ? again / layers.count() : 0;
  const auto stored = [&](bool experts) {
    return share * stored_activations(spec, experts, true) +
           (1 - share) * stored_activations(spec, experts, false);
  };
  double each = layers.dense * stored(false);
  if (layers.experts > 0) each += layers.experts * stored(true);
  const double offloaded =
      layers.count() > 0 ? std::min(1.0, spec.offload_layers / layers.count()) : 0;
  // The layer at work comes when logits have gone.
  const double working = share > 0 ? layer_activations(spec, layers.experts > 0) : 0;
  return under_way(spec, stage) * each * (1 - offloaded) + std::max(0.0, working - logits);
}

// Two layers as a whole and the gradients of one, where every rank has a share alone.
double gathered_of(const TrainingSpec& spec, const Parameters& parameters, const Layers& layers) {
  if (spec.zero_stage < 3 || layers.count() == 0) return 0;
  const double layer = (parameters.dense + parameters.experts) / layers.count();
  const double size = sizes_of(spec.style).parameter;
  return layer * (2 * std::min(size, kHalfSize) + sizes_of(spec.style).gradient);
}

}  // namespace

Bytes MemoryUse::allocated() const {
  return parameters + gradients + optimizer + activations + logits + gathered;
}

double layer_activations(const TrainingSpec& spec, bool experts) {
  return kept_by(spec, experts).all();
}

std::vector<MemoryUse> memory_of_stages(const TrainingSpec& spec) {
  const StateSizes sizes = sizes_of(spec.style);
  std::vector<MemoryUse> out;
  for (std::uint32_t stage = 0; stage < spec.pipeline_parallel_size; ++stage) {
    const Layers layers = layers_of(spec, stage);
    const Parameters parameters = parameters_of(spec, stage, layers);
    MemoryUse use;
    use.parameters = whole(sizes.parameter * divided(spec, parameters, 3));
    use.gradients = whole(sizes.gradient * divided(spec, parameters, 2));
    use.optimizer = whole(sizes.optimizer * divided(spec, parameters, 1));
    use.gathered = whole(gathered_of(spec, parameters, layers));
    if (stage + 1 == spec.pipeline_parallel_size) {
      use.logits = whole(static_cast<double>(spec.tokens()) * spec.model.vocab_size /
                         spec.tensor_parallel_size * logit_size(spec.style));
    }
    use.activations =
        whole(activations_of(spec, stage, layers, static_cast<double>(use.logits.count())));
    if (!gradients_stay(spec)) {
      use.gradients = std::max(Bytes(0), use.gradients - use.activations - use.logits);
    }
    const double moving = static_cast<double>((use.activations + use.logits).count());
    use.fragmentation = whole(kFragmented * moving);
    use.outside = whole(kContext + (spec.ranks() > 1 ? kCommunicators : 0));
    out.push_back(use);
  }
  return out;
}

MemoryUse largest_memory(const TrainingSpec& spec) {
  const std::vector<MemoryUse> stages = memory_of_stages(spec);
  return *std::ranges::max_element(stages, {}, [](const MemoryUse& use) { return use.total(); });
}

std::string sum_text(const MemoryUse& use) {
  const auto gibi = [](Bytes bytes) { return static_cast<double>(bytes.count()) / kGibi; };
  std::string out = fmt::format(
      "parameters {:.1f} + gradients {:.1f} + optimizer {:.1f} + activations {:.1f}",
      gibi(use.parameters), gibi(use.gradients), gibi(use.optimizer), gibi(use.activations));
  const auto more = [&](const char* name, Bytes bytes) {
    if (bytes > Bytes(0)) out += fmt::format(" + {} {:.1f}", name, gibi(bytes));
  };
  more("logits", use.logits);
  more("gathered layers", use.gathered);
  more("fragmentation", use.fragmentation);
  more("CUDA and NCCL", use.outside);
  return out + fmt::format(" = {:.1f} GiB", gibi(use.total()));
}

}  // namespace septet::training
