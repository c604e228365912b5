#include "scenarios/explain/ceilings.hpp"

#include <algorithm>

namespace septet::explain {

Ceilings ceilings_of(const gpu::GpuSpec& gpu) {
  constexpr double kOfWarp = 2 * 32;  // a multiply and an add for each thread
  const double cycles = gpu.clock.count() * gpu.sm_count;
  const double fma =
      kOfWarp * gpu.kernel.issue.schedulers / gpu.kernel.pipe(program::Pipe::kFma).interval;
  Ceilings out;
  out.dram = gpu.kernel.memory.dram_bandwidth.count();
  out.l2 = gpu.kernel.memory.l2_bandwidth.count();
  out.arithmetic = {{"fp32, FMA pipes", fma * cycles},
                    {"tf32, tensor cores", gpu.tensor.tf32_flops * cycles},
                    {"bf16, tensor cores", gpu.tensor.bf16_flops * cycles},
                    {"fp8, tensor cores", gpu.tensor.fp8_flops * cycles}};
  std::erase_if(out.arithmetic, [](const Ceiling& c) { return c.per_second <= 0; });
  std::ranges::stable_sort(out.arithmetic, {}, &Ceiling::per_second);
  return out;
}

}  // namespace septet::explain
