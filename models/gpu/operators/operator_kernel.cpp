#include "models/gpu/operators/operator_kernel.hpp"

#include "models/gpu/operators/attention.hpp"
#include "models/gpu/operators/convolution.hpp"
#include "models/gpu/operators/elementwise.hpp"
#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/rowwise.hpp"
#include "models/gpu/operators/serving.hpp"

namespace septet {
namespace {

Kernel kernel_of(const GpuSpec& gpu, const Elementwise& what, const OperandState& state) {
  return elementwise_kernel(gpu, what, state);
}

Kernel kernel_of(const GpuSpec& gpu, const Gather& what, const OperandState& state) {
  return gather_kernel(gpu, what.rows, what.columns, what.size, state);
}

Kernel kernel_of(const GpuSpec& gpu, const SumAll& what, const OperandState& state) {
  return sum_kernel(gpu, what.elements, state);
}

Kernel kernel_of(const GpuSpec& gpu, const Rowwise& what, const OperandState& state) {
  switch (what.what) {
    case RowOperator::kLayerNorm:
      return norm_kernel(gpu, Norm::kLayer, what.rows, what.columns, state);
    case RowOperator::kRmsNorm:
      return norm_kernel(gpu, Norm::kRms, what.rows, what.columns, state);
    case RowOperator::kSoftmax:
      return softmax_kernel(gpu, what.rows, what.columns, state);
    case RowOperator::kArgmax:
      break;
  }
  return argmax_kernel(gpu, what.rows, what.columns, state);
}

OperatorTime time_of(const GpuSpec& gpu, const Gemm& gemm, const OperatorWork& work) {
  return work.library == Library::kVllm ? serving_gemm(gpu, gemm, work.load)
                                        : gemm_time(gpu, gemm, {}, work.load);
}

OperatorTime time_of(const GpuSpec& gpu, const Convolution& what, const OperatorWork& work) {
  return gemm_time(gpu, implicit_gemm(what), {}, work.load);
}

OperatorTime time_of(const GpuSpec& gpu, const AttentionCall& call, const OperatorWork& work) {
  const bool served = work.library == Library::kVllm;
  if (call.phase == AttentionPhase::kDecode) {
    return served ? serving_decode(gpu, call.what) : cudnn_decode(gpu, call.what);
  }
  return served ? serving_prefill(gpu, call.what, work.load)
                : cudnn_prefill(gpu, call.what, work.load);
}

template <class What>
concept Described = requires(const GpuSpec& gpu, const What& what, const OperandState& state) {
  kernel_of(gpu, what, state);
};

}  // namespace

std::optional<Kernel> described_kernel_of(const GpuSpec& gpu, const OperatorWork& work) {
  if (work.factor != 1) return std::nullopt;  // no description takes so many times as long
  return std::visit(
      [&]<class What>(const What& what) -> std::optional<Kernel> {
        if constexpr (Described<What>) return kernel_of(gpu, what, work.state);
        return std::nullopt;
      },
      work.what);
}

OperatorTime operator_time(const GpuSpec& gpu, const OperatorWork& work) {
  OperatorTime out = std::visit(
      [&]<class What>(const What& what) {
        if constexpr (Described<What>) {
          return described_time(gpu, kernel_of(gpu, what, work.state));
        } else {
          return time_of(gpu, what, work);
        }
      },
      work.what);
  if (work.factor != 1) out.time = scale(out.time, work.factor);
  return out;
}

}  // namespace septet
