// Group kernels: rows of an Nsight Compute report, each a kernel alone on an idle GPU with flushed
// caches.
#include "models/workload/nsight/profiled_kernel.hpp"
#include "scenarios/validate/kernel_cases.hpp"

namespace septet::validation {
namespace {

Prediction profiled(const MeasuredRow& row, const system::SystemSpec& system) {
  if (row.profiled == nullptr) return unsupported("not a row of an Nsight Compute report");
  const program::Kernel kernel = profiled_kernel(*row.profiled, system.gpu);
  const gpu::KernelTime time =
      kernel_time(system.gpu, kernel.shape, std::get<program::InstructionWork>(kernel.work));
  const gpu::KernelSpec& spec = system.gpu.kernel;
  const Duration seen = time.total - spec.block.ramp + spec.cold.profiler_time;
  return {to_seconds(seen) * 1e9, std::string(text_of(time.limiter))};
}

}  // namespace

std::vector<CaseKind> profile_cases() { return {{"kernels", "", profiled}}; }

}  // namespace septet::validation
