#include "models/workload/training/stage_work.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/workload/training/work_builder.hpp"

namespace septet::training {
namespace {

constexpr double kAdamInstructions = 24;

double dense_parameters(const TrainingSpec& spec, bool experts) {
  const transformer::Model& model = spec.model;
  const double matrices =
      attention_parameters(model) + (experts ? shared_parameters(model) : dense_parameters(model));
  const double router =
      experts ? static_cast<double>(model.experts.num_experts) * model.hidden_size : 0;
  return matrices / spec.tensor_parallel_size + router + 2.0 * model.hidden_size;
}

double routed_parameters(const TrainingSpec& spec) {
  const transformer::Experts& experts = spec.model.experts;
  return expert_parameters(spec.model) * experts.num_experts / spec.expert_parallel_size /
         spec.expert_tensor_parallel_size;
}

// Autocast converts parameters where they are used, and their gradients back; FSDP where it
// gathers.
bool casts_weights(const TrainingSpec& spec) {
  return spec.style.states == States::kAutocast && spec.zero_stage < 2;
}

LayerWork layer_work(const TrainingSpec& spec, bool experts, bool windowed) {
  LayerWork out;
  const double parameters = dense_parameters(spec, experts);
  WorkBuilder forward(spec);
  if (casts_weights(spec))
    forward.map("weights_cast", parameters, 2, 1, program::kCastInstructions);
  add_attention(forward, windowed);
  add_mlp(forward, experts);
  out.forward = forward.take();
  WorkBuilder backward(spec);
  if (spec.recompute.granularity == Granularity::kFull) backward.add(out.forward);
  add_mlp_backward(backward, experts);
  add_attention_backward(backward, windowed);
  if (casts_weights(spec)) {
    backward.map("gradients_cast", parameters, 1, 2, program::kCastInstructions);
  }
  out.backward = backward.take();
  out.dense_parameters = parameters;
  out.expert_parameters = experts ? routed_parameters(spec) : 0;
  return out;
}

// Layers of experts come last, windowed ones are spread evenly.
void set_layers(const TrainingSpec& spec, StageWork& out) {
  const transformer::Model& model = spec.model;
  std::map<std::pair<bool, bool>, std::uint32_t> known;
  const std::uint32_t all = model.num_layers + model.mtp_layers;
  for (std::uint32_t l = 0; l < all; ++l) {
    const bool experts = model.experts.used() && l >= model.experts.dense_layers;
    const std::uint64_t before = std::uint64_t{l} * model.windowed_layers / model.num_layers;
    const bool windowed = std::uint64_t{l + 1} * model.windowed_layers / model.num_layers > before;
    const auto [kind, fresh] =
        known.emplace(std::pair(experts, windowed), static_cast<std::uint32_t>(out.kinds.size()));
    if (fresh) out.kinds.push_back(layer_work(spec, experts, windowed));
    out.layers.push_back(kind->second);
  }
}

double vocabulary(const TrainingSpec& spec) {
  return std::ceil(static_cast<double>(spec.model.vocab_size) / spec.tensor_parallel_size);
}

WorkList embedding(const TrainingSpec& spec, bool backward) {
  WorkBuilder build(spec);
  build.kernel(backward ? "embedding_backward" : "embedding",
               program::Gather{.rows = build.own_tokens(), .columns = build.hidden()},
               backward ? 2 : 1);
  return build.take();
}

// Logits in 32 bits; where nothing is fused, a pass each for the conversion, the maximum, the
// difference, the exponential and its sum (Megatron-LM, tensor_parallel/cross_entropy.py).
void add_loss(WorkBuilder& build) {
  const double logits = build.tokens() * vocabulary(build.spec());
  build.map("logits_cast", logits, 1, 2, program::kCastInstructions);
  if (build.style().framework != Framework::kMegatron &&
      build.style().framework != Framework::kTransformerEngine) {
    return build.kernel("loss",
                        program::Loss{.rows = build.tokens(), .columns = vocabulary(build.spec())});
  }
  build.map("loss_maximum", logits, 2, 0, program::kAddInstructions);
  build.map("loss_difference", logits, 2, 2, program::kAddInstructions);
  build.map("loss_exponential", logits, 2, 2, program::kSiluInstructions);
  build.map("loss_sum", logits, 2, 2, program::kAddInstructions);
}

WorkList head_forward(const TrainingSpec& spec) {
  WorkBuilder build(spec);
  build.norm("final_norm", build.own_tokens(), build.hidden());
  build.to_matrices();
  build.half_product("head", build.tokens(), vocabulary(spec), build.hidden());
  add_loss(build);
  if (build.parts() > 1) {
    build.add(build.exchange(Group::kTensor, program::CollectiveOp::kAllReduce,
                             build.tokens() * kSingle));
  }
  return build.take();
}

WorkList head_backward(const TrainingSpec& spec) {
  WorkBuilder build(spec);
  const double logits = build.tokens() * vocabulary(spec);
  build.map("loss_backward", logits, 2, 2, program::kAddInstructions);
  build.map("logits_cast_backward", logits, 2, 1, program::kCastInstructions);
  build.half_product("head_grad_input", build.tokens(), build.hidden(), vocabulary(spec));
  build.from_matrices(true);
  build.half_product("head_grad_weight", vocabulary(spec), build.hidden(), build.tokens(),
                     2 * build.gradient_size());
  build.norm_backward("final_norm_backward", build.own_tokens(), build.hidden());
  return build.take();
}

}  // namespace

StageWork stage_work(const TrainingSpec& spec) {
  StageWork out;
  set_layers(spec, out);
  out.embedding_forward = embedding(spec, false);
  out.embedding_backward = embedding(spec, true);
  out.head_forward = head_forward(spec);
  out.head_backward = head_backward(spec);
  const WorkBuilder build(spec);
  out.embedding_parameters = vocabulary(spec) * build.hidden();
  out.activations = bytes_of(build.own_tokens() * build.hidden() * kHalf);
  return out;
}

namespace {

// PyTorch's fused AdamW over all tensors: four products, two norms and their biases a layer.
void add_fused_adam(WorkBuilder& build, double parameters) {
  const double tensors = 6.0 * build.model().num_layers + 2;
  const bool half = build.style().states == States::kHalf;
  build.kernel("adam",
               program::AdamW{.tensors = tensors,
                              .elements_each = std::max(1.0, parameters / tensors),
                              .type = half ? program::DataType::kBf16 : program::DataType::kFp32});
}

}  // namespace

// Adam on parameters, gradient and two moments; the norm of the gradients first.
WorkList update_work(const TrainingSpec& spec, double parameters) {
  WorkBuilder build(spec);
  const double gradient = build.gradient_size();
  const auto pass = [&](const char* name, double read, double written, double instructions) {
    build.kernel(name, program::Elementwise{.elements = parameters,
                                            .inputs = read / kSingle,
                                            .outputs = written / kSingle,
                                            .type = program::DataType::kFp32,
                                            .instructions = instructions});
  };
  switch (spec.style.states) {
    case States::kMasters:
      pass("gradient_norm", gradient, 0, program::kAddInstructions);
      pass("adam", 12 + gradient, 14, kAdamInstructions);
      break;
    case States::kAutocast:
    case States::kHalf:
      add_fused_adam(build, parameters);
      break;
  }
  return build.take();
}

}  // namespace septet::training
