#include "scenarios/explain/explain.hpp"

#include <fmt/format.h>

#include "scenarios/explain/elasticity.hpp"
#include "scenarios/explain/validated_range.hpp"

namespace septet::explain {
namespace {

std::string dimensions(const program::Dim3& d) {
  if (d.y == 1 && d.z == 1) return fmt::format("{}", d.x);
  return fmt::format("{} x {} x {}", d.x, d.y, d.z);
}

}  // namespace

Explanation explain(const gpu::GpuSpec& gpu, const host::HostSpec& host,
                    const KernelDescription& kernel) {
  Explanation out;
  out.gpu = gpu.name;
  out.title = kernel.name;
  out.launch =
      fmt::format("{} blocks of {} threads, {} registers per thread", dimensions(kernel.shape.grid),
                  dimensions(kernel.shape.block), kernel.shape.registers_per_thread);
  out.time = kernel_time(gpu, kernel.shape, work_of(kernel));
  out.stages = stage_times(gpu, host, kernel, out.time);
  out.metrics = metrics_of(gpu, kernel, out.time);
  out.metrics.shares = bound_shares(gpu, kernel);
  out.ceilings = ceilings_of(gpu);
  out.advice = advice_for(gpu, host, kernel);
  out.warnings = range_warnings(gpu, kernel);
  for (std::string& warning : gpu_warnings(gpu)) out.warnings.push_back(std::move(warning));
  return out;
}

}  // namespace septet::explain
