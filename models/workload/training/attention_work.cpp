// Attention of a layer, forward and backward.
#include <cmath>

#include "models/workload/training/stage_work.hpp"
#include "models/workload/training/work_builder.hpp"

namespace septet::training {
namespace {

constexpr double kRopeInstructions = 12;
constexpr double kSoftmaxInstructions = 20;
constexpr double kDropoutInstructions = 12;

// Columns on one tensor rank.
struct Columns {
  double query = 0;  // of all heads
  double kept = 0;   // keys and values
  double out = 0;    // into the output product
};

Columns columns_of(const WorkBuilder& build) {
  const transformer::Model& model = build.model();
  const double heads = model.num_attention_heads / build.parts();
  if (model.latent.used()) {
    const auto& latent = model.latent;
    return {heads * (latent.qk_head_dim + latent.qk_pos_emb_head_dim),
            heads * (latent.qk_head_dim + latent.qk_pos_emb_head_dim + latent.v_head_dim),
            heads * latent.v_head_dim};
  }
  const double groups = std::max(1.0, model.groups() / build.parts());
  return {heads * model.head_dim(), 2 * groups * model.head_dim(), heads * model.head_dim()};
}

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

program::Attention described(const WorkBuilder& build, bool windowed) {
  const TrainingSpec& spec = build.spec();
  const transformer::Model& model = build.model();
  program::Attention out;
  out.batch = spec.micro_batch_size;
  out.heads = model.num_attention_heads / spec.tensor_parallel_size;
  out.kv_heads =
      model.latent.used() ? out.heads : std::max(1U, model.groups() / spec.tensor_parallel_size);
  out.queries = spec.seq_length / spec.context_parallel_size;
  // Early and late tokens together see half of all keys on average.
  out.keys = spec.context_parallel_size == 1 ? out.queries : (spec.seq_length + out.queries) / 2;
  out.dim = model.latent.used() ? whole((model.latent.qk_head_dim + model.latent.v_head_dim +
                                         model.latent.qk_pos_emb_head_dim) /
                                        2.0)
                                : model.head_dim();
  if (windowed) out.window = model.window_size;
  out.causal = true;
  out.type = build.half();
  return out;
}

// Pairs of a query and a key of all heads.
double pairs(const WorkBuilder& build) {
  const TrainingSpec& spec = build.spec();
  return static_cast<double>(spec.micro_batch_size) * spec.seq_length / build.parts() *
         spec.model.num_attention_heads * spec.seq_length / spec.context_parallel_size;
}

void add_bmm(WorkBuilder& build, const char* name, double n, double k) {
  const TrainingSpec& spec = build.spec();
  const double batch = spec.micro_batch_size * spec.model.num_attention_heads / build.parts();
  build.half_product(name, spec.seq_length, n, k, kHalf, batch);
}

void add_scores(WorkBuilder& build) {
  const double s = build.spec().seq_length;
  add_bmm(build, "attention_scores", s, build.model().head_dim());
  build.map("attention_softmax", pairs(build), 1, 1, kSoftmaxInstructions);
  if (build.style().attention_dropout) {
    build.map("attention_dropout", pairs(build), 1, 1.5, kDropoutInstructions);
  }
}

// FlashAttention in Triton, as llm-foundry has it: forward and backward together, causal, heads of
// 128, on an A100 about 80 TFLOP/s of 312 at 2 Ki tokens and 105 at 16 Ki (Dao, "FlashAttention-2",
// 2023, figure 4).
double triton_share(const WorkBuilder& build) {
  constexpr double kLong = 0.34;
  constexpr double kFew = 700;  // tokens at which half of it is reached
  const double tokens = build.spec().seq_length;
  return kLong * tokens / (tokens + kFew);
}

void add_flash(WorkBuilder& build, const char* name, const program::Attention& what) {
  build.kernel(name, what);
  if (build.style().framework == Framework::kComposer)
    build.last().tensor_share = triton_share(build);
}

// Scores, softmax and their product with the values.
void add_core(WorkBuilder& build, bool windowed) {
  if (build.style().flash_attention) {
    add_flash(build, "attention", described(build, windowed));
    return;
  }
  add_scores(build);
  add_bmm(build, "attention_values", build.model().head_dim(), build.spec().seq_length);
}

void add_core_backward(WorkBuilder& build, bool windowed) {
  if (build.style().flash_attention) {
    program::Attention what = described(build, windowed);
    what.phase = program::AttentionPhase::kBackward;
    add_flash(build, "attention_backward", what);
    return;
  }
  const double s = build.spec().seq_length;
  const double dim = build.model().head_dim();
  add_bmm(build, "attention_values_grad_scores", s, dim);
  add_bmm(build, "attention_values_grad_values", dim, s);
  if (build.style().attention_dropout) {
    build.map("attention_dropout_backward", pairs(build), 1.5, 1, kDropoutInstructions);
  }
  build.map("attention_softmax_backward", pairs(build), 2, 1, kSoftmaxInstructions);
  add_bmm(build, "attention_scores_grad_queries", dim, s);
  add_bmm(build, "attention_scores_grad_keys", dim, s);
}

// Keys and values go round the context ranks while attention computes.
void add_ring(WorkBuilder& build, double times) {
  const double others = build.spec().context_parallel_size - 1.0;
  if (others == 0) return;
  const double bytes = build.tokens() * columns_of(build).kept * kHalf;
  build.add(build.exchange(Group::kContext, program::CollectiveOp::kSendReceive,
                           times * others * bytes, true));
}

// Rotary embedding of queries or keys as separate calls: product with cosines, halves negated and
// joined, product with sines, sum. Backward: both products, a half negated, two halves put into
// zeros, and sums. Counted in profiles of data/measurements/h200/source-train.py.
void add_rope_calls(WorkBuilder& build, double elements, bool backward) {
  build.strided("rope", elements, 2, 1);
  build.strided("rope", elements, 2, 1);
  build.strided("rope_negated", elements / 2, 1, 1);
  if (!backward) {
    build.map("rope_joined", elements, 1, 1, program::kCopyInstructions);
    return build.map("rope_sum", elements, 2, 1, program::kAddInstructions);
  }
  for (int half = 0; half < 2; ++half) {
    build.map("rope_zeros", elements, 0, 1, program::kCopyInstructions);
    build.strided("rope_half", elements / 2, 1, 1);
    build.strided("rope_sum", elements, 2, 1);
  }
}

void add_rope(WorkBuilder& build, const char* name, bool backward) {
  const transformer::Model& model = build.model();
  if (model.learned_positions) return;
  const double each = build.tokens() / build.parts() *
                      (model.latent.used() ? model.latent.qk_pos_emb_head_dim : model.head_dim());
  const double queries = each * model.num_attention_heads;
  const double keys = each * (model.latent.used() ? 1 : model.groups());
  if (!build.calls()) return build.map(name, queries + keys, 1, 1, kRopeInstructions);
  add_rope_calls(build, queries, backward);
  add_rope_calls(build, keys, backward);
}

// Queries, keys and values are slices of one product: their gradients are put into zeros of its
// size and added up.
void add_slices_backward(WorkBuilder& build) {
  if (!build.calls()) return;
  const Columns columns = columns_of(build);
  const double all = build.tokens() * (columns.query + columns.kept);
  for (const double part : {columns.query, columns.kept / 2, columns.kept / 2}) {
    build.map("qkv_zeros", all, 0, 1, program::kCopyInstructions);
    build.strided("qkv_slice", build.tokens() * part, 1, 1);
  }
  for (int sum = 0; sum < 2; ++sum) {
    build.map("qkv_sum", all, 2, 1, program::kAddInstructions);
  }
}

void add_latent_down(WorkBuilder& build) {
  const auto& latent = build.model().latent;
  const double rows = build.own_tokens();
  const double columns = latent.q_lora_rank + latent.kv_lora_rank + latent.qk_pos_emb_head_dim;
  build.cast("cast", rows * build.hidden(), true);
  build.product("latent_down", rows, columns, build.hidden());
  build.norm("latent_norm", rows, columns);
}

void add_latent_up(WorkBuilder& build) {
  const auto& latent = build.model().latent;
  const double heads = build.model().num_attention_heads / build.parts();
  const double query = heads * (latent.qk_head_dim + latent.qk_pos_emb_head_dim);
  build.product("query_up", build.tokens(), query, latent.q_lora_rank);
  build.product("latent_up", build.tokens(), heads * (latent.qk_head_dim + latent.v_head_dim),
                latent.kv_lora_rank);
  build.map("join_heads", build.tokens() * 2 * query, 1, 1, program::kCopyInstructions);
}

void add_projection(WorkBuilder& build) {
  if (build.model().latent.used()) {
    add_latent_down(build);
    build.to_matrices();
    add_latent_up(build);
  } else {
    const Columns columns = columns_of(build);
    build.cast("cast", build.own_tokens() * build.hidden(), true);
    build.to_matrices();
    build.product("qkv", build.tokens(), columns.query + columns.kept, build.hidden());
  }
  if (build.model().qk_norm) {
    const double heads =
        (build.model().num_attention_heads + build.model().groups()) / build.parts();
    build.norm("qk_norm", build.tokens() * heads, build.model().head_dim());
  }
  add_rope(build, "rope", false);
}

void add_projection_backward(WorkBuilder& build) {
  add_rope(build, "rope_backward", true);
  const Columns columns = columns_of(build);
  if (build.model().qk_norm) {
    const double heads =
        (build.model().num_attention_heads + build.model().groups()) / build.parts();
    build.norm_backward("qk_norm_backward", build.tokens() * heads, build.model().head_dim());
  }
  add_slices_backward(build);
  const double sum = columns.query + columns.kept;
  build.cast("cast_backward", build.tokens() * sum, false);
  if (!build.model().latent.used()) {
    build.to_matrices(true);
    WorkBuilder reduce(build.spec());
    reduce.from_matrices(true);
    WorkList between = reduce.take();
    build.gradients("qkv", build.tokens(), sum, build.hidden(), 1,
                    between.empty() ? nullptr : between.data());
    return;
  }
  const auto& latent = build.model().latent;
  const double heads = build.model().num_attention_heads / build.parts();
  build.gradients("query_up", build.tokens(), columns.query, latent.q_lora_rank);
  build.gradients("latent_up", build.tokens(), heads * (latent.qk_head_dim + latent.v_head_dim),
                  latent.kv_lora_rank);
  build.from_matrices();
  const double down = latent.q_lora_rank + latent.kv_lora_rank + latent.qk_pos_emb_head_dim;
  build.norm_backward("latent_norm_backward", build.own_tokens(), down);
  build.gradients("latent_down", build.own_tokens(), down, build.hidden());
}

}  // namespace

void add_attention(WorkBuilder& build, bool windowed) {
  const Columns columns = columns_of(build);
  build.norm("attention_norm", build.own_tokens(), build.hidden());
  add_projection(build);
  add_ring(build, 1);
  add_core(build, windowed);
  if (build.calls()) build.strided("attention_copy", build.tokens() * columns.out, 1, 1);
  build.cast("cast", build.tokens() * columns.out, false);
  build.product("attention_out", build.tokens(), build.hidden(), columns.out);
  build.from_matrices();
  build.residual();
}

void add_attention_recomputation(WorkBuilder& build, bool windowed) {
  const Recomputation& recompute = build.spec().recompute;
  if (recompute.up_projection && build.model().latent.used()) add_latent_up(build);
  if (!recompute.attention) return;
  build.style().flash_attention ? add_core(build, windowed) : add_scores(build);
}

void add_attention_backward(WorkBuilder& build, bool windowed) {
  const Columns columns = columns_of(build);
  build.cast("cast_backward", build.own_tokens() * build.hidden(), false);
  build.to_matrices();
  build.gradients("attention_out", build.tokens(), build.hidden(), columns.out);
  add_attention_recomputation(build, windowed);
  add_ring(build, 2);
  add_core_backward(build, windowed);
  add_projection_backward(build);
  build.norm_backward("attention_norm_backward", build.own_tokens(), build.hidden());
  build.residual();
}

}  // namespace septet::training
