// Convolutions as implicit products (models/program/operators/convolution.hpp).
//
// Ignored: Winograd and FFT; layouts that need a transposition first; padding (outputs are as many
// as input positions over the stride). Validated against group op.
#include <fmt/format.h>

#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/library_kernels.hpp"

namespace septet::gpu {

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Convolution& what,
                          const program::OperatorWork& work) {
  const program::Gemm gemm = implicit_gemm(what);
  // Windows are gathered on the way into an SM, which takes longer than rows of a matrix. Windows
  // of one position without a stride are such rows.
  GemmChoice choice;
  choice.may_split = false;
  if (what.kernel_height * what.kernel_width * what.stride > 1) {
    choice.copy_cost = gpu.operators.pipeline.copy_bytes / gpu.operators.gemm.window_bytes;
  }
  const GemmPlan plan = plan_gemm(gpu, gemm, choice);
  return {plan_time(gpu, gemm, plan, work.load),
          fmt::format("a product of {} x {} x {}: {}", gemm.m, gemm.n, gemm.k, plan_text(plan))};
}

}  // namespace septet::gpu
