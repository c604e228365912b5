#include "models/workload/llm/engine_layer.hpp"

#include <algorithm>
#include <cmath>

namespace septet::llm {

using transformer::NumberFormat;
using transformer::StepOperator;

namespace {

constexpr double kRotaryInstructions = 12;
constexpr double kWriteInstructions = 8;

Bytes bytes(double count) { return Bytes(static_cast<std::int64_t>(in_range<BytesTag>(count))); }

// The type that a product computes with on this GPU.
program::DataType type_on(const gpu::GpuSpec& gpu, NumberFormat weights) {
  const bool eight_bits = gpu.tensor.fp8_flops > 0;
  if (weights == NumberFormat::kNvfp4 && eight_bits) return program::DataType::kFp8;
  const program::DataType type = transformer::computed_in(weights);
  if (type == program::DataType::kFp8 && !eight_bits) return program::DataType::kBf16;
  return type;
}

StepOperator element_map(const EngineStep& step, const char* name, double elements, double inputs,
                         double instructions) {
  return transformer::map(step.gpu, name,
                          {.elements = elements, .inputs = inputs, .instructions = instructions});
}

// Adds the residual on the way, which it reads and writes as well: twice the bytes of a norm.
StepOperator norm_and_sum(const EngineStep& step) {
  return transformer::norm(step.gpu, step.shape.rows, 2 * step.hidden());
}

// A gated MLP of `columns` on one rank; the activation is one kernel.
void add_mlp(const EngineStep& step, double columns, Operators& out) {
  const double rows = step.shape.rows;
  const bool gated = step.model().gated_linear_unit;
  add_product(step, "gate and up product", step.linear(), rows, (gated ? 2 : 1) * columns,
              step.hidden(), out);
  out.push_back(element_map(step, "activation", rows * columns, gated ? 2 : 1,
                            program::kSiluInstructions + program::kAddInstructions));
  add_product(step, "down product", step.linear(), rows, step.hidden(), columns, out);
}

}  // namespace

NumberFormat EngineStep::linear() const {
  return model().quantized == transformer::Quantized::kLinear ? model().weights
                                                              : NumberFormat::kBf16;
}

void add_product(const EngineStep& step, const char* name, NumberFormat weights, double rows,
                 double n, double k, Operators& out, gpu::GemmChoice choice) {
  const program::Gemm gemm{.m = rows, .n = n, .k = k, .type = type_on(step.gpu, weights)};
  choice.stored_size = transformer::bytes_of(weights);
  const bool fused = step.deployment.style == Style::kTensorRtLlm;
  if (bytes_of(gemm.type) < transformer::kActivation && !fused) {
    out.push_back(transformer::map(step.gpu, "cast",
                                   {.elements = rows * k,
                                    .output_type = program::DataType::kFp8,
                                    .instructions = program::kCastInstructions}));
  }
  out.push_back(transformer::product(step.gpu, name, gemm, choice));
}

void add_all_reduce(const EngineStep& step, double rows, Operators& out) {
  if (step.deployment.layout.tensor == 1) return;
  out.back().then = {transformer::Group::kTensor, program::CollectiveOp::kAllReduce,
                     bytes(rows * step.hidden() * transformer::kActivation)};
}

void add_attention_block(const EngineStep& step, bool windowed, Operators& out) {
  const transformer::Model& model = step.model();
  const double rows = step.shape.rows;
  const double query = model.num_attention_heads * model.head_dim() / step.tensor();
  const double key =
      std::max(1.0, model.groups() / step.tensor()) * static_cast<double>(model.head_dim());
  out.push_back(norm_and_sum(step));
  add_product(step, "qkv product", step.linear(), rows, query + 2 * key, step.hidden(), out);
  if (model.qk_norm) {
    out.push_back(
        transformer::norm(step.gpu, rows * (query + key) / model.head_dim(), model.head_dim()));
  }
  if (!model.learned_positions) {
    out.push_back(element_map(step, "rotary", rows * (query + key), 2, kRotaryInstructions));
  }
  out.push_back(element_map(step, "cache write", rows * 2 * key, 1, kWriteInstructions));
  add_attention(step, windowed, out);
  add_product(step, "output product", step.linear(), rows, step.hidden(), query, out);
  if (!model.parallel_block) add_all_reduce(step, rows, out);
}

void add_dense(const EngineStep& step, Operators& out) {
  if (!step.model().parallel_block) out.push_back(norm_and_sum(step));
  add_mlp(step, step.model().ffn_hidden_size / step.tensor(), out);
  add_all_reduce(step, step.shape.rows, out);
}

namespace {

// What a layer's experts on one rank have to do.
struct Routed {
  double met = 0;      // experts that have tokens
  double rows = 0;     // tokens of each of them
  double columns = 0;  // of an expert on this rank
};

// Rows of a tile of products over experts. vLLM and SGLang multiply in Triton, whose tiles without
// a tuned table are 64 rows, or as few as there are (vllm/model_executor/layers/fused_moe,
// get_default_config); TensorRT-LLM in CUTLASS, with 128 rows where they are filled.
double tile_rows(const EngineStep& step, double rows) {
  if (rows <= 16) return 16;
  if (rows <= 32) return 32;
  return step.deployment.style == Style::kTensorRtLlm && rows > 64 ? 128 : 64;
}

gpu::GemmChoice grouped_choice(const EngineStep& step, double rows) {
  gpu::GemmChoice out;
  out.may_split = false;
  const double height = tile_rows(step, rows);
  if (step.deployment.style != Style::kTensorRtLlm) out.tile = gpu::Tile{height, 64};
  return out;
}

Routed routed(const EngineStep& step) {
  const transformer::Experts& experts = step.model().experts;
  const Layout& layout = step.deployment.layout;
  const double all = experts.num_experts;
  const double tokens = std::max(1.0, step.shape.rows * layout.data);
  const double own = layout.expert ? all / layout.expert_gpus() : all;
  // Of the rank with most tokens, where experts are spread: routers don't balance them.
  constexpr double kMostLoaded = 1.3;
  const bool spread = layout.expert && layout.expert_gpus() > 1;
  const double share = spread ? kMostLoaded / layout.expert_gpus() : 1.0;
  Routed out;
  out.met = own * (1 - std::pow(1 - experts.moe_router_topk / all, tokens));
  out.met = std::max(1.0, out.met);
  out.rows = std::max(1.0, std::ceil(tokens * experts.moe_router_topk * share / out.met));
  const double tile = tile_rows(step, out.rows);
  if (out.rows > tile) out.rows += tile / 2;  // each expert's last tile is half full
  out.columns = experts.moe_ffn_hidden_size / (layout.expert ? 1.0 : layout.expert_gpus());
  return out;
}

// Ranks of attention bring their tokens together, and take back what is theirs.
void gather_tokens(const EngineStep& step, program::CollectiveOp op, Operators& out) {
  const Layout& layout = step.deployment.layout;
  if (layout.data == 1) return;
  const double tokens = step.shape.rows * layout.data;
  out.back().then = {transformer::Group::kExpert, op,
                     bytes(tokens * step.hidden() * transformer::kActivation)};
}

StepOperator helper(const EngineStep& step, const char* name) {
  gpu::OperatorTime time;
  time.time = step.gpu.operators.call.helper_kernel;
  time.clock = step.gpu.clock;
  return {name, [time](Frequency) { return time; }};
}

}  // namespace

void add_experts(const EngineStep& step, Operators& out) {
  const transformer::Model& model = step.model();
  const transformer::Experts& experts = model.experts;
  const double rows = step.shape.rows;
  const Routed work = routed(step);
  const double gates = model.gated_linear_unit ? 2 : 1;
  const gpu::GemmChoice choice = grouped_choice(step, work.rows);
  out.push_back(norm_and_sum(step));
  add_product(step, "router product", NumberFormat::kBf16, rows, experts.num_experts, step.hidden(),
              out);
  out.push_back(transformer::described(
      step.gpu, "top k",
      program::Rowwise{.what = program::RowOperator::kSoftmax,
                       .rows = rows,
                       .columns = static_cast<double>(experts.num_experts)}));
  gather_tokens(step, program::CollectiveOp::kAllGather, out);
  for (const char* name : {"count tokens", "sort tokens"}) out.push_back(helper(step, name));
  add_product(step, "experts gate and up", model.weights, work.rows,
              gates * work.columns * work.met, step.hidden(), out, choice);
  out.push_back(element_map(step, "activation", work.rows * work.met * work.columns, gates,
                            program::kSiluInstructions + program::kAddInstructions));
  add_product(step, "experts down", model.weights, work.rows, step.hidden() * work.met,
              work.columns, out, choice);
  out.push_back(element_map(step, "sum over experts", rows * step.hidden(), experts.moe_router_topk,
                            program::kAddInstructions));
  gather_tokens(step, program::CollectiveOp::kReduceScatter, out);
  if (experts.moe_shared_expert_intermediate_size > 0) {
    add_mlp(step, experts.moe_shared_expert_intermediate_size / step.tensor(), out);
    out.push_back(transformer::combine(step.gpu, "shared sum", rows * step.hidden()));
  }
  if (step.deployment.layout.data == 1) add_all_reduce(step, rows, out);
}

void add_start(const EngineStep& step, Operators& out) {
  out.push_back(transformer::described(
      step.gpu, "embedding", program::Gather{.rows = step.shape.rows, .columns = step.hidden()}));
  add_all_reduce(step, step.shape.rows, out);
}

void add_end(const EngineStep& step, Operators& out) {
  const double sampled = std::max(1.0, step.shape.sampled);
  const double vocabulary = step.model().vocab_size;
  out.push_back(norm_and_sum(step));
  add_product(step, "head product", NumberFormat::kBf16, sampled, vocabulary / step.tensor(),
              step.hidden(), out);
  if (step.deployment.layout.tensor > 1) {
    out.back().then = {transformer::Group::kTensor, program::CollectiveOp::kAllGather,
                       bytes(sampled * vocabulary * transformer::kActivation)};
  }
  out.push_back(element_map(step, "logits", sampled * vocabulary, 1, program::kCastInstructions));
  out.push_back(transformer::described(
      step.gpu, "argmax",
      program::Rowwise{
          .what = program::RowOperator::kArgmax, .rows = sampled, .columns = vocabulary}));
}

}  // namespace septet::llm
