#include "models/workload/transformer/transformer_step.hpp"

#include <algorithm>
#include <memory>

#include "models/gpu/operators/attention.hpp"
#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"

namespace septet::transformer {
namespace {

constexpr double kElement = 2;  // bytes of an activation

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

StepOperator described(const gpu::GpuSpec& gpu, std::string name, const program::Operator& what) {
  const gpu::OperatorTime time = operator_time(gpu, {what});
  return {std::move(name), [time](Frequency) { return time; }};
}

StepOperator norm(const gpu::GpuSpec& gpu, double rows, double columns) {
  program::OperandState state = replayed_state(gpu, 2 * rows * columns * kElement);
  state.weights_cold = true;
  return described(gpu, "rmsnorm",
                   program::Rowwise{.what = program::RowOperator::kRmsNorm,
                                    .rows = rows,
                                    .columns = columns,
                                    .state = state});
}

// Operands that the kernel before has just written.
StepOperator map(const gpu::GpuSpec& gpu, std::string name, program::Elementwise what) {
  what.state = replayed_state(gpu, (what.inputs + 1) * what.elements * kElement);
  return described(gpu, std::move(name), what);
}

// A sum or a product of two.
StepOperator combine(const gpu::GpuSpec& gpu, std::string name, double elements,
                     bool strided = false) {
  return map(gpu, std::move(name),
             {.elements = elements,
              .inputs = 2,
              .instructions = program::kAddInstructions,
              .strided = strided});
}

// Elements put elsewhere, or negated on the way.
StepOperator copy(const gpu::GpuSpec& gpu, std::string name, double elements) {
  return map(gpu, std::move(name), {.elements = elements, .instructions = 1, .strided = true});
}

// y(rows x n) = x(rows x k) W(n x k)^T with weights that no cache holds.
StepOperator product(const gpu::GpuSpec& gpu, std::string name, program::DataType type, double rows,
                     double n, double k) {
  program::Gemm gemm{.m = rows, .n = n, .k = k, .type = type};
  const double inputs = rows * k * bytes_of(type);
  const program::OperandState state = replayed_state(gpu, inputs + rows * n * kElement);
  gemm.state.l2_hit = state.l2_hit * inputs / (inputs + n * k * bytes_of(type));
  gemm.state.output_stays = state.output_stays;
  const auto plan = std::make_shared<const gpu::GemmPlan>(plan_gemm(gpu, gemm));
  return {std::move(name),
          [&gpu, gemm, plan](Frequency clock) { return plan_time(gpu, gemm, *plan, clock); },
          plan->split > 1 ? 2U : 1U};
}

void add_product(const gpu::GpuSpec& gpu, const TransformerStep& step, std::string name, double n,
                 double k, std::vector<StepOperator>& out) {
  const double rows = real(step.rows());
  if (bytes_of(step.type) < kElement) {
    out.push_back(map(gpu, "cast",
                      {.elements = rows * k,
                       .output_type = program::DataType::kFp8,
                       .instructions = program::kCastInstructions}));
  }
  out.push_back(product(gpu, std::move(name), step.type, rows, n, k));
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
  if (!step.prefill()) {
    const gpu::OperatorTime time = cudnn_decode(gpu, what);
    return {"attention", [time](Frequency) { return time; }};
  }
  what.causal = true;
  what.state = {1, false, true};
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
  out.back().all_reduce = step.tensor_parallel > 1;
  out.push_back(combine(gpu, "residual sum", w.rows * w.hidden));
}

void add_feed_forward(const gpu::GpuSpec& gpu, const TransformerStep& step,
                      std::vector<StepOperator>& out) {
  const Widths w = widths_of(step);
  const bool one = step.rows() == 1;  // gate and up are parts of one row
  out.push_back(norm(gpu, w.rows, w.hidden));
  add_product(gpu, step, "gate and up product", 2 * w.ffn, w.hidden, out);
  out.push_back(map(
      gpu, "silu",
      {.elements = w.rows * w.ffn, .instructions = program::kSiluInstructions, .strided = !one}));
  out.push_back(combine(gpu, "gating", w.rows * w.ffn, !one));
  add_product(gpu, step, "down product", w.hidden, w.ffn, out);
  out.back().all_reduce = step.tensor_parallel > 1;
  out.push_back(combine(gpu, "residual sum", w.rows * w.hidden));
}

void add(const gpu::OperatorTime& part, double times, gpu::OperatorTime& sum) {
  sum.time += scale(part.time, times);
  sum.activity.dram_bytes += times * part.activity.dram_bytes;
  sum.activity.l2_bytes += times * part.activity.l2_bytes;
  sum.activity.flops += times * part.activity.flops;
}

void add(const gpu::GpuSpec& gpu, const std::vector<StepOperator>& operators, double times,
         Duration all_reduce, Frequency clock, gpu::OperatorTime& sum) {
  const Duration node = gpu.operators.call.node_gap + gpu.operators.call.cold_start;
  for (const StepOperator& each : operators) {
    gpu::OperatorTime time = each.at(clock);
    time.time += node * each.nodes;
    if (each.all_reduce) time.time += all_reduce;
    add(time, times, sum);
  }
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
  out.push_back(product(gpu, "head product", program::DataType::kBf16, last, w.vocab, w.hidden));
  if (step.ends) {
    const program::OperandState state = replayed_state(gpu, last * w.vocab * kElement);
    out.push_back(described(gpu, "argmax",
                            program::Rowwise{.what = program::RowOperator::kArgmax,
                                             .rows = last,
                                             .columns = w.vocab,
                                             .state = state}));
  }
  return out;
}

Bytes all_reduce_bytes(const TransformerStep& step) {
  return Bytes(static_cast<std::int64_t>(real(step.rows() * step.shape.hidden) * kElement));
}

gpu::OperatorTime step_time(const gpu::GpuSpec& gpu, const TransformerStep& step,
                            Duration all_reduce, double steps) {
  const std::vector<StepOperator> layer = layer_operators(gpu, step);
  const std::vector<StepOperator> outer = outer_operators(gpu, step);
  const auto at = [&](Frequency clock) {
    gpu::OperatorTime sum;
    sum.clock = clock;
    sum.activity.type = step.type;
    add(gpu, layer, real(step.shape.layers), all_reduce, clock, sum);
    add(gpu, outer, 1, {}, clock, sum);
    return sum;
  };
  return under_load(gpu, at, {.calls = steps});
}

}  // namespace septet::transformer
