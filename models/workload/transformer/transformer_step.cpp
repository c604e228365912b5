#include "models/workload/transformer/transformer_step.hpp"

#include <utility>

#include "models/gpu/operators/attention.hpp"
#include "models/gpu/operators/operand_state.hpp"

namespace septet::transformer {
namespace {

double real(std::uint64_t value) { return static_cast<double>(value); }

// The widths of one rank.
struct Widths {
  double rows, hidden, queries, keys, ffn, vocab;
};

Widths widths_of(const TransformerStep& step) {
  const TransformerShape& shape = step.shape;
  const double ranks = real(step.tensor_parallel);
  return {real(step.rows()),
          real(shape.hidden),
          real(shape.heads * shape.dim) / ranks,
          real(shape.kv_heads * shape.dim) / ranks,
          real(shape.ffn) / ranks,
          real(shape.vocab) / ranks};
}

// Each rank has a part of every sum.
void sum_over_ranks(const TransformerStep& step, std::vector<StepOperator>& out) {
  if (step.tensor_parallel == 1) return;
  const double bytes = real(step.rows() * step.shape.hidden) * kActivation;
  out.back().then = {.bytes = Bytes(static_cast<std::int64_t>(in_range<BytesTag>(bytes)))};
}

void add_product(const gpu::GpuSpec& gpu, const TransformerStep& step, std::string name, double n,
                 double k, std::vector<StepOperator>& out) {
  const double rows = real(step.rows());
  if (bytes_of(step.type) < kActivation) {
    out.push_back(map(gpu, "cast",
                      {.elements = rows * k,
                       .output_type = program::DataType::kFp8,
                       .instructions = program::kCastInstructions}));
  }
  out.push_back(product(gpu, std::move(name), {.m = rows, .n = n, .k = k, .type = step.type}));
}

// x cos + rotated x sin: half of it negated, put together, two products, a sum.
void add_rotary(const gpu::GpuSpec& gpu, const TransformerStep& step, double elements,
                std::vector<StepOperator>& out) {
  const bool one = step.queries == 1;
  out.push_back(copy(gpu, "rotary negation", elements / 2));
  out.push_back(copy(gpu, "rotary concatenation", elements));
  out.push_back(combine(gpu, "rotary product", elements, true));
  out.push_back(combine(gpu, "rotary product", elements, true));
  out.push_back(combine(gpu, "rotary sum", elements, !one));
}

StepOperator attention(const gpu::GpuSpec& gpu, const TransformerStep& step) {
  program::Attention what;
  what.batch = step.batch;
  what.heads = step.shape.heads / step.tensor_parallel;
  what.kv_heads = step.shape.kv_heads / step.tensor_parallel;
  what.queries = step.queries;
  what.keys = step.keys;
  what.dim = step.shape.dim;
  if (step.queries == 1) {
    const gpu::OperatorTime time = cudnn_decode(gpu, what);
    return {"attention", [time](Frequency) { return time; }};
  }
  what.causal = step.prefill();
  if (step.prefill()) what.state = {1, false, true};  // keys and values have just been written
  const Duration clear = gpu.operators.cudnn.prefill_clear;
  return {"attention", [&gpu, what, clear](Frequency clock) {
            gpu::OperatorTime time = cudnn_prefill_at(gpu, what, clock);
            time.time += clear;
            return time;
          }};
}

void add_attention_block(const gpu::GpuSpec& gpu, const TransformerStep& step,
                         std::vector<StepOperator>& out) {
  const Widths w = widths_of(step);
  out.push_back(norm(gpu, w.rows, w.hidden));
  add_product(gpu, step, "qkv product", w.queries + 2 * w.keys, w.hidden, out);
  if (step.rotary) {
    add_rotary(gpu, step, w.rows * w.queries, out);
    add_rotary(gpu, step, w.rows * w.keys, out);
  }
  for (const char* name : {"cache keys", "cache values"}) {
    out.push_back(copy(gpu, name, w.rows * w.keys));
  }
  out.push_back(attention(gpu, step));
  add_product(gpu, step, "output product", w.hidden, w.queries, out);
  sum_over_ranks(step, out);
  out.push_back(combine(gpu, "residual sum", w.rows * w.hidden));
}

void add_feed_forward(const gpu::GpuSpec& gpu, const TransformerStep& step,
                      std::vector<StepOperator>& out) {
  const Widths w = widths_of(step);
  const bool one = step.rows() == 1;  // gate and up are parts of one row
  out.push_back(norm(gpu, w.rows, w.hidden));
  add_product(gpu, step, "gate and up product", 2 * w.ffn, w.hidden, out);
  out.push_back(map(gpu, "silu",
                    {.elements = w.rows * w.ffn,
                     .instructions = program::kSiluInstructions,
                     .access = one ? program::Access::kVectors : program::Access::kStrided}));
  out.push_back(combine(gpu, "gating", w.rows * w.ffn, !one));
  add_product(gpu, step, "down product", w.hidden, w.ffn, out);
  sum_over_ranks(step, out);
  out.push_back(combine(gpu, "residual sum", w.rows * w.hidden));
}

}  // namespace

std::vector<StepOperator> layer_operators(const gpu::GpuSpec& gpu, const TransformerStep& step) {
  std::vector<StepOperator> out;
  add_attention_block(gpu, step, out);
  add_feed_forward(gpu, step, out);
  return out;
}

std::vector<StepOperator> outer_operators(const gpu::GpuSpec& gpu, const TransformerStep& step) {
  const Widths w = widths_of(step);
  const double last = step.prefill() ? real(step.batch) : w.rows;  // positions that go on
  std::vector<StepOperator> out;
  if (step.ends) {
    out.push_back(
        described(gpu, "embedding", program::Gather{.rows = w.rows, .columns = w.hidden}));
    out.push_back(norm(gpu, w.rows, w.hidden));
  }
  out.push_back(product(gpu, "head product", {.m = last, .n = w.vocab, .k = w.hidden}));
  if (step.ends) {
    const program::OperandState state = replayed_state(gpu, last * w.vocab * kActivation);
    out.push_back(described(gpu, "argmax",
                            program::Rowwise{.what = program::RowOperator::kArgmax,
                                             .rows = last,
                                             .columns = w.vocab,
                                             .state = state}));
  }
  return out;
}

}  // namespace septet::transformer
