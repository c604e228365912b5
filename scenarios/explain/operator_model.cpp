#include "scenarios/explain/operator_model.hpp"

#include <variant>

#include <fmt/format.h>

#include "models/gpu/operators/convolution.hpp"
#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/operator_kernel.hpp"

namespace septet {
namespace {

constexpr double kMostlyKept = 0.5;  // outputs are written over before they leave the L2 cache
constexpr double kOutputSize = 2;    // bytes of a product's output

DataType type_of(const OperatorText& text) { return *data_type_named(text.dtype); }

bool is_vllm(const OperatorText& text) { return text.library == "vllm"; }

double bytes_of_call(const Gemm& what, double size) {
  return (what.m + what.n) * what.k * size + what.m * what.n * kOutputSize;
}

double bytes_of_call(const Convolution& what, double size) {
  const Gemm lowered = implicit_gemm(what);
  const double input = what.images * what.channels * what.height * what.width;
  return (input + lowered.n * lowered.k) * size + lowered.m * lowered.n * kOutputSize;
}

double bytes_of_call(const AttentionCall& call, double size) {
  const Attention& what = call.what;
  const auto batch = static_cast<double>(what.batch);
  const auto dim = static_cast<double>(what.dim);
  const double kept = static_cast<double>(what.keys) * static_cast<double>(what.kv_heads);
  const double passing = static_cast<double>(what.queries) * static_cast<double>(what.heads);
  return 2 * batch * dim * (kept + passing) * size;
}

double bytes_of_call(const Elementwise& what, double) {
  return what.elements * (what.inputs * what.size + what.outputs * what.output_size);
}

double bytes_of_call(const Rowwise& what, double size) {
  const double passes = what.what == RowOperator::kArgmax ? 1 : 2;  // in, and out
  return passes * what.rows * what.columns * size;
}

double bytes_of_call(const Gather& what, double) {
  return 2 * what.rows * what.columns * what.size;
}

double bytes_of_call(const SumAll& what, double size) { return what.elements * size; }

OperandState state_of(const GpuSpec& gpu, const OperatorText& text, double bytes) {
  if (text.l2 != "warm") return {0, true, false};
  const double hit = replayed_hit(gpu, bytes);
  return {hit, false, hit > kMostlyKept};
}

// In the state; a convolution as the product that it is lowered to.
struct InState {
  OperandState state;

  Operator operator()(Gemm what) const {
    what.state = state;
    return what;
  }
  Operator operator()(Convolution what) const {
    what.state = state;
    return implicit_gemm(what);
  }
  Operator operator()(AttentionCall call) const {
    call.what.state = state;
    return call;
  }
  template <class What>
  Operator operator()(const What& what) const {
    return what;
  }
};

std::string plan_of(const GpuSpec& gpu, const Gemm& gemm, Library library) {
  if (library == Library::kVllm && gemm.type == DataType::kFp8) {
    return "fp8 tiles by rows, after the conversion to fp8";
  }
  const GemmPlan plan = plan_gemm(gpu, gemm);
  const std::string tiles =
      fmt::format("{} tiles of {} x {}", plan.kernel.tiles, plan.tile.m, plan.tile.n);
  return plan.split > 1 ? fmt::format("{}, k split into {}", tiles, plan.split) : tiles;
}

std::string plan_of(AttentionPhase phase, Library library) {
  const bool decode = phase == AttentionPhase::kDecode;
  if (library == Library::kVllm) {
    return decode ? "FlashAttention 3, keys split" : "FlashAttention 3, cache written";
  }
  return decode ? "blocks of 128 keys, keys split" : "a persistent kernel of 128 x 128 tiles";
}

std::string plan_of(const LaunchShape& shape) {
  return fmt::format("{} blocks of {} threads, {} registers a thread", shape.blocks(),
                     shape.threads_per_block(), shape.registers_per_thread);
}

std::string plan_of(const GpuSpec& gpu, const Operator& asked, const OperatorWork& work,
                    const OperatorTime& time) {
  if (const auto* call = std::get_if<AttentionCall>(&work.what)) {
    return plan_of(call->phase, work.library);
  }
  const auto* product = std::get_if<Gemm>(&work.what);
  if (product == nullptr) return plan_of(time.shape);
  const std::string plan = plan_of(gpu, *product, work.library);
  if (!std::holds_alternative<Convolution>(asked)) return plan;
  return fmt::format("a product of {} x {} x {}: {}", product->m, product->n, product->k, plan);
}

double bytes_of(const OperatorText& text, const Operator& what) {
  const double size = bytes_of(type_of(text));
  return std::visit([&](const auto& one) { return bytes_of_call(one, size); }, what);
}

}  // namespace

double operand_bytes(const OperatorText& text) { return bytes_of(text, operator_of(text)); }

OperatorAnswer operator_answer(const GpuSpec& gpu, const OperatorText& text) {
  const Operator asked = operator_of(text);
  OperatorWork work;
  work.state = state_of(gpu, text, bytes_of(text, asked));
  work.what = std::visit(InState{work.state}, asked);
  work.library = is_vllm(text) ? Library::kVllm : Library::kPyTorch;
  work.load.steady = text.steady;
  OperatorAnswer out;
  out.time = operator_time(gpu, work);
  out.kernel = described_kernel_of(gpu, work);
  out.plan = plan_of(gpu, asked, work, out.time);
  return out;
}

std::string operator_title(const OperatorText& text) {
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
