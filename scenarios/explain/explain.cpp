#include "scenarios/explain/explain.hpp"

#include "scenarios/explain/validated_range.hpp"

namespace septet {

Explanation explain(const GpuSpec& gpu, const HostSpec& host, const KernelDescription& kernel) {
  Explanation out;
  out.gpu = gpu.name;
  out.kernel = kernel;
  out.time = kernel_time(gpu, kernel.shape, work_of(kernel));
  out.stages = stage_times(gpu, host, kernel, out.time);
  out.metrics = metrics_of(gpu, kernel, out.time);
  out.advice = advice_for(gpu, host, kernel);
  out.warnings = range_warnings(kernel);
  return out;
}

}  // namespace septet
