// Convolutions as implicit products (models/program/operators/convolution.hpp).
//
// Ignored: Winograd and FFT; layouts that need a transposition first; padding (outputs are as many
// as input positions over the stride). No measured rows test it.
#include <fmt/format.h>

#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/library_kernels.hpp"

namespace septet::gpu {

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Convolution& what,
                          const program::OperatorWork& work) {
  const program::Gemm gemm = implicit_gemm(what);
  const GemmPlan plan = plan_gemm(gpu, gemm);
  return {plan_time(gpu, gemm, plan, work.load),
          fmt::format("a product of {} x {} x {}: {}", gemm.m, gemm.n, gemm.k, plan_text(plan))};
}

}  // namespace septet::gpu
