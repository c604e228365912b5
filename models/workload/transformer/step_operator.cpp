#include "models/workload/transformer/step_operator.hpp"

#include <memory>
#include <utility>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"

namespace septet::transformer {

StepOperator described(const gpu::GpuSpec& gpu, std::string name, const program::Operator& what) {
  const gpu::OperatorTime time = gpu::operator_time(gpu, {what});
  return {std::move(name), [time](Frequency) { return time; }};
}

StepOperator norm(const gpu::GpuSpec& gpu, double rows, double columns) {
  program::OperandState state = gpu::replayed_state(gpu, 2 * rows * columns * kActivation);
  state.weights_cold = true;
  return described(gpu, "rmsnorm",
                   program::Rowwise{.what = program::RowOperator::kRmsNorm,
                                    .rows = rows,
                                    .columns = columns,
                                    .state = state});
}

StepOperator map(const gpu::GpuSpec& gpu, std::string name, program::Elementwise what) {
  what.state = gpu::replayed_state(gpu, (what.inputs + 1) * what.elements * kActivation);
  return described(gpu, std::move(name), what);
}

StepOperator combine(const gpu::GpuSpec& gpu, std::string name, double elements, bool strided) {
  return map(gpu, std::move(name),
             {.elements = elements,
              .inputs = 2,
              .instructions = program::kAddInstructions,
              .access = strided ? program::Access::kStrided : program::Access::kVectors});
}

StepOperator copy(const gpu::GpuSpec& gpu, std::string name, double elements) {
  return map(gpu, std::move(name),
             {.elements = elements, .instructions = 1, .access = program::Access::kStrided});
}

StepOperator product(const gpu::GpuSpec& gpu, std::string name, program::Gemm gemm,
                     const gpu::GemmChoice& choice) {
  const double weight = choice.stored_size > 0 ? choice.stored_size : bytes_of(gemm.type);
  const double inputs = gemm.m * gemm.k * bytes_of(gemm.type);
  const program::OperandState state =
      gpu::replayed_state(gpu, inputs + gemm.m * gemm.n * kActivation);
  gemm.state.l2_hit = state.l2_hit * inputs / (inputs + gemm.n * gemm.k * weight);
  gemm.state.output_stays = state.output_stays;
  const auto plan = std::make_shared<const gpu::GemmPlan>(gpu::plan_gemm(gpu, gemm, choice));
  return {std::move(name),
          [&gpu, gemm, plan](Frequency clock) { return gpu::plan_time(gpu, gemm, *plan, clock); },
          plan->split > 1 ? 2U : 1U};
}

}  // namespace septet::transformer
