#include "models/gpu/execution/timed_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "models/gpu/execution/recorded_use.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operator_share.hpp"

namespace septet::gpu {
namespace {

void set_room(const GpuSpec& gpu, const program::LaunchShape& shape, TimedKernel& out) {
  const Occupancy occupancy = occupancy_of(gpu.sm, shape);
  const std::uint64_t slots = std::uint64_t{occupancy.blocks_per_sm} * gpu.sm_count;
  const std::uint64_t blocks = shape.blocks();
  out.shape = shape;
  out.needs = block_needs(gpu.sm, shape);
  out.at_once = std::min(blocks, slots);
  out.waves = (blocks + slots - 1) / slots;
  out.last = blocks - (out.waves - 1) * slots;
}

TimedKernel described(const GpuSpec& gpu, const program::LaunchShape& shape,
                      const program::InstructionWork& work) {
  TimedKernel out;
  out.alone = kernel_time(gpu, shape, work).total;
  set_room(gpu, shape, out);
  out.shared = shared_kernel(gpu, shape, work);
  out.work = work;
  return out;
}

TimedKernel of_operator(const GpuSpec& gpu, const program::OperatorWork& work) {
  const LibraryKernels kernels = library_kernels(gpu, work);
  if (const auto* kernel = std::get_if<program::Kernel>(&kernels.run)) {
    return described(gpu, kernel->shape, std::get<program::InstructionWork>(kernel->work));
  }
  const auto& time = std::get<OperatorTime>(kernels.run);
  TimedKernel out;
  out.alone = time.time;
  set_room(gpu, time.shape, out);
  out.shared = operator_share(gpu, time);
  return out;
}

}  // namespace

TimedKernel timed_kernel(const GpuSpec& gpu, const program::Kernel& kernel) {
  try {
    const auto* work = std::get_if<program::InstructionWork>(&kernel.work);
    return work != nullptr ? described(gpu, kernel.shape, *work)
                           : of_operator(gpu, std::get<program::OperatorWork>(kernel.work));
  } catch (const ModelError& error) {
    throw ModelError(fmt::format("kernel '{}': {}", kernel.name, error.what()));
  }
}

TimedKernel recorded_kernel(const GpuSpec& gpu, const program::LaunchShape& shape,
                            Duration duration) {
  TimedKernel out;
  const bool unknown = shape.blocks() == 0 || why_impossible(gpu.sm, shape).has_value();
  set_room(gpu, unknown ? one_block_an_sm(gpu, gpu.sm_count) : shape, out);
  const auto blocks = static_cast<double>(out.at_once);
  const double warps = blocks * out.needs.warps / gpu.sm.max_warps / gpu.sm_count;
  out.shared = recorded_shared(gpu, recorded_use(warps, duration), blocks);
  return out;
}

SharedKernel shared_with(const GpuSpec& gpu, const TimedKernel& kernel, std::uint64_t blocks,
                         std::uint64_t wanted) {
  const auto resident = static_cast<double>(blocks);
  const auto all = static_cast<double>(wanted);
  if (!kernel.work.segments.empty()) {
    return shared_kernel(gpu, kernel.shape, kernel.work, resident, all);
  }
  const double share = resident / static_cast<double>(kernel.at_once);
  SharedKernel out = kernel.shared;
  out.blocks *= share;
  out.alone *= resident / all;
  out.load.dram *= share;
  out.load.l2 *= share;
  return out;
}

}  // namespace septet::gpu
