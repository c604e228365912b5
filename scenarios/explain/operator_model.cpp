#include "scenarios/explain/operator_model.hpp"

#include <functional>
#include <map>

#include <fmt/format.h>

#include "models/gpu/operators/attention.hpp"
#include "models/gpu/operators/convolution.hpp"
#include "models/gpu/operators/elementwise.hpp"
#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/rowwise.hpp"
#include "models/gpu/operators/serving.hpp"

namespace septet {
namespace {

constexpr double kMostlyKept = 0.5;  // outputs are written over before they leave the L2 cache

double number(const Count& count) { return static_cast<double>(count.value_or(1)); }

double elements_of(const AskedOperator& text) {
  return text.elements ? number(text.elements) : number(text.rows) * number(text.cols);
}

DataType type_of(const AskedOperator& text) { return *data_type_named(text.dtype); }

double size_of(const AskedOperator& text) { return bytes_of(type_of(text)); }

// `bytes`: operands and outputs of one call.
OperandState state_of(const GpuSpec& gpu, const AskedOperator& text, double bytes) {
  if (text.l2 != "warm") return {0, true, false};
  const double hit = replayed_hit(gpu, bytes);
  return {hit, false, hit > kMostlyKept};
}

LoadHistory history_of(const AskedOperator& text) { return {.steady = text.steady}; }

bool is_vllm(const AskedOperator& text) { return text.library == "vllm"; }

OperatorAnswer product(const GpuSpec& gpu, const AskedOperator& text, const Gemm& gemm) {
  const GemmPlan plan = plan_gemm(gpu, gemm);
  std::string words =
      fmt::format("{} tiles of {} x {}", plan.kernel.tiles, plan.tile.m, plan.tile.n);
  if (plan.split > 1) words += fmt::format(", k split into {}", plan.split);
  if (!is_vllm(text)) return {gemm_time(gpu, gemm, {}, history_of(text)), {}, words};
  if (gemm.type == DataType::kFp8) words = "fp8 tiles by rows, after the conversion to fp8";
  return {serving_gemm(gpu, gemm, history_of(text)), {}, words};
}

OperatorAnswer gemm(const GpuSpec& gpu, const AskedOperator& text) {
  Gemm what;
  what.m = number(text.m);
  what.n = number(text.n);
  what.k = number(text.k);
  what.type = type_of(text);
  const double bytes = (what.m + what.n) * what.k * size_of(text) + what.m * what.n * 2;
  what.state = state_of(gpu, text, bytes);
  return product(gpu, text, what);
}

OperatorAnswer convolution(const GpuSpec& gpu, const AskedOperator& text) {
  constexpr double kMostSide = 4'194'304;  // of the product
  Convolution what;
  what.images = number(text.images);
  what.channels = number(text.channels);
  what.height = number(text.height);
  what.width = number(text.width);
  what.filters = number(text.filters);
  what.filter_height = what.filter_width = number(text.filter);
  what.stride = number(text.stride);
  what.type = type_of(text);
  if (what.stride > std::min(what.height, what.width)) {
    text.place.fail("stride", fmt::format("{}", what.stride), "at most height and width");
  }
  const Gemm lowered = implicit_gemm(what);
  if (lowered.m > kMostSide * 64 || lowered.k > kMostSide) {
    text.place.fail(
        "images",
        fmt::format("a product of {:.4g} x {:.4g} x {:.4g}", lowered.m, lowered.n, lowered.k),
        "a smaller one");
  }
  const double input = what.images * what.channels * what.height * what.width;
  const double bytes = (input + lowered.n * lowered.k) * size_of(text) + lowered.m * lowered.n * 2;
  what.state = state_of(gpu, text, bytes);
  OperatorAnswer out = product(gpu, text, implicit_gemm(what));
  out.plan =
      fmt::format("a product of {} x {} x {}: {}", lowered.m, lowered.n, lowered.k, out.plan);
  return out;
}

Attention attention_of(const GpuSpec& gpu, const AskedOperator& text, std::uint64_t queries) {
  constexpr double kMostRows = 2147483648.0;  // of queries, of all heads
  Attention out;
  out.batch = text.batch.value_or(1);
  out.heads = text.heads.value_or(1);
  out.kv_heads = text.kv_heads.value_or(out.heads);
  out.queries = queries;
  out.keys = text.kv.value_or(queries);
  out.dim = text.dim.value_or(1);
  out.causal = text.causal;
  out.type = type_of(text);
  if (out.heads % out.kv_heads != 0) {
    text.place.fail("kv_heads", fmt::format("{}", out.kv_heads), "a divisor of heads");
  }
  if (queries > out.keys) {
    text.place.fail("seq", fmt::format("{}", queries), "at most kv, which they are among");
  }
  const double rows = number(text.batch) * number(text.heads) * static_cast<double>(queries);
  if (rows > kMostRows) {
    text.place.fail("batch", fmt::format("{:.4g} rows of queries", rows), "at most 2^31 of them");
  }
  const double kept = 2 * static_cast<double>(out.batch * out.keys * out.kv_heads * out.dim);
  const double passing = 2 * rows * static_cast<double>(out.dim);
  out.state = state_of(gpu, text, (kept + passing) * size_of(text));
  return out;
}

OperatorAnswer prefill(const GpuSpec& gpu, const AskedOperator& text) {
  const Attention what = attention_of(gpu, text, text.seq.value_or(1));
  if (is_vllm(text)) {
    return {serving_prefill(gpu, what, history_of(text)), {}, "FlashAttention 3, cache written"};
  }
  return {cudnn_prefill(gpu, what, history_of(text)), {}, "a persistent kernel of 128 x 128 tiles"};
}

OperatorAnswer decode(const GpuSpec& gpu, const AskedOperator& text) {
  const Attention what = attention_of(gpu, text, text.seq.value_or(1));
  if (is_vllm(text)) return {serving_decode(gpu, what), {}, "FlashAttention 3, keys split"};
  return {cudnn_decode(gpu, what), {}, "blocks of 128 keys, keys split"};
}

OperatorAnswer described(const GpuSpec& gpu, Kernel kernel) {
  OperatorAnswer out;
  out.time = described_time(gpu, kernel);
  out.plan = fmt::format("{} blocks of {} threads, {} registers a thread", kernel.shape.blocks(),
                         kernel.shape.threads_per_block(), kernel.shape.registers_per_thread);
  out.kernel = std::move(kernel);
  return out;
}

Elementwise elementwise_of(const AskedOperator& text, double inputs, double instructions) {
  Elementwise out;
  out.elements = elements_of(text);
  out.inputs = inputs;
  out.outputs = number(text.outputs);
  out.size = out.output_size = size_of(text);
  out.instructions = instructions;
  return out;
}

OperatorAnswer elementwise(const GpuSpec& gpu, const AskedOperator& text, const Elementwise& what) {
  const double each = what.inputs * what.size + what.outputs * what.output_size;
  return described(gpu, elementwise_kernel(gpu, what, state_of(gpu, text, what.elements * each)));
}

using Model = std::function<OperatorAnswer(const GpuSpec&, const AskedOperator&)>;

Model over_elements(double inputs, double instructions) {
  return [=](const GpuSpec& gpu, const AskedOperator& text) {
    return elementwise(gpu, text, elementwise_of(text, inputs, instructions));
  };
}

OperatorAnswer any_function(const GpuSpec& gpu, const AskedOperator& text) {
  const double instructions = static_cast<double>(text.instructions.value_or(4));
  return elementwise(gpu, text, elementwise_of(text, number(text.inputs), instructions));
}

// `passes`: operands as large as the rows, read or written.
template <class KernelOf>
Model over_rows(KernelOf kernel, double passes) {
  return [=](const GpuSpec& gpu, const AskedOperator& text) {
    const double rows = number(text.rows);
    const double columns = number(text.cols);
    const OperandState state = state_of(gpu, text, passes * rows * columns * size_of(text));
    return described(gpu, kernel(gpu, rows, columns, state));
  };
}

Model norm(Norm which) {
  return over_rows(
      [which](const GpuSpec& gpu, double rows, double columns, const OperandState& state) {
        return norm_kernel(gpu, which, rows, columns, state);
      },
      2);
}

OperatorAnswer gather(const GpuSpec& gpu, const AskedOperator& text) {
  const double rows = number(text.rows);
  const double columns = number(text.cols);
  const OperandState state = state_of(gpu, text, 2 * rows * columns * size_of(text));
  return described(gpu, gather_kernel(gpu, rows, columns, size_of(text), state));
}

OperatorAnswer sum(const GpuSpec& gpu, const AskedOperator& text) {
  const double elements = elements_of(text);
  return described(gpu, sum_kernel(gpu, elements, state_of(gpu, text, elements * size_of(text))));
}

const std::map<std::string, Model>& models() {
  static const std::map<std::string, Model> kModels = {
      {"gemm", gemm},
      {"convolution", convolution},
      {"attention_prefill", prefill},
      {"attention_decode", decode},
      {"rmsnorm", norm(Norm::kRms)},
      {"layernorm", norm(Norm::kLayer)},
      {"softmax", over_rows(softmax_kernel, 2)},
      {"argmax", over_rows(argmax_kernel, 1)},
      {"add", over_elements(2, kAddInstructions)},
      {"mul", over_elements(2, kAddInstructions)},
      {"gelu", over_elements(1, kGeluInstructions)},
      {"silu", over_elements(1, kSiluInstructions)},
      {"cast", over_elements(1, kCastInstructions)},
      {"elementwise", any_function},
      {"gather", gather},
      {"embedding", gather},
      {"sum", sum},
      {"reduction", sum}};
  return kModels;
}

}  // namespace

OperatorAnswer operator_answer(const GpuSpec& gpu, const AskedOperator& text) {
  return models().at(text.op)(gpu, text);
}

std::string operator_title(const AskedOperator& text) {
  const auto& shape = *text.place.table->table();
  std::string out = text.op;
  const char* before = " ";
  for (const ConfigEntry& entry : shape) {
    const auto* count = std::get_if<std::int64_t>(&entry.value.data);
    if (count == nullptr) continue;
    out += fmt::format("{}{} {}", before, entry.key, *count);
    before = ", ";
  }
  out += fmt::format(", {}, {} L2", text.dtype, text.l2);
  if (text.causal) out += ", causal";
  if (text.steady) out += ", steady load";
  return is_vllm(text) ? out + ", vLLM" : out;
}

}  // namespace septet
