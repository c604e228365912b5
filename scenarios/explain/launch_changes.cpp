// Changes of the launch: registers, shared memory, block and grid.
#include <algorithm>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "models/gpu/occupancy/resource_budget.hpp"
#include "scenarios/explain/changes.hpp"

namespace septet::explain {
namespace {

constexpr std::uint64_t kMostBlocksInARow = 0x7FFFFFFF;  // of a CUDA grid

std::string blocks_text(std::uint32_t after, std::uint32_t before) {
  return fmt::format("{} blocks on an SM instead of {}", after, before);
}

bool takes_shared_memory(const program::LaunchShape& shape) {
  return shape.static_shared + shape.dynamic_shared > Bytes(0);
}

double fewest_iterations(const KernelDescription& kernel) {
  double out = kernel.segments.front().segment.repeat;
  for (const SegmentDescription& s : kernel.segments) out = std::min(out, s.segment.repeat);
  return out;
}

// The same work in another number of blocks.
KernelDescription in_blocks(const KernelDescription& kernel, std::uint64_t blocks) {
  KernelDescription out = kernel;
  const double factor = static_cast<double>(kernel.shape.blocks()) / static_cast<double>(blocks);
  out.shape.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  for (SegmentDescription& described : out.segments) described.segment.repeat *= factor;
  return out;
}

std::uint64_t slots_of(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  return std::uint64_t{occupancy_of(gpu.sm, kernel.shape).blocks_per_sm} * gpu.sm_count;
}

bool has_barriers(const KernelDescription& kernel) {
  return std::ranges::any_of(kernel.segments, [](const auto& s) { return s.barrier_cycles > 0; });
}

}  // namespace

Changes fewer_registers(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const std::uint32_t now = occupancy_of(gpu.sm, kernel.shape).blocks_per_sm;
  for (const gpu::BlockTarget& target : next_targets(gpu.sm, kernel.shape)) {
    if (!target.registers || target.shared) continue;
    Change out{fmt::format("at most {} registers per thread instead of {}, which allows {}",
                           *target.registers, kernel.shape.registers_per_thread,
                           blocks_text(target.blocks, now)),
               kernel};
    out.kernel.shape.registers_per_thread = *target.registers;
    return {out};
  }
  return {};
}

Changes less_shared_memory(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const std::uint32_t now = occupancy_of(gpu.sm, kernel.shape).blocks_per_sm;
  for (const gpu::BlockTarget& target : next_targets(gpu.sm, kernel.shape)) {
    if (!target.shared || target.registers) continue;
    Change out{fmt::format("at most {} of shared memory per block instead of {}, which allows {}",
                           to_text(*target.shared),
                           to_text(kernel.shape.static_shared + kernel.shape.dynamic_shared),
                           blocks_text(target.blocks, now)),
               kernel};
    out.kernel.shape.static_shared = Bytes(0);
    out.kernel.shape.dynamic_shared = *target.shared;
    return {out};
  }
  return {};
}

// Only if a block is just a group of threads: with shared memory or barriers its size is part of
// the algorithm.
Changes other_block_size(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const program::LaunchShape& shape = kernel.shape;
  if (shape.block.volume() != shape.block.x || takes_shared_memory(shape) || has_barriers(kernel)) {
    return {};
  }
  Changes out;
  for (std::uint32_t threads = 64; threads <= gpu.sm.max_threads_per_block; threads *= 2) {
    if (threads == shape.block.x) continue;
    const std::uint64_t in_row = std::uint64_t{shape.grid.x} * shape.block.x;
    const std::uint64_t blocks = (in_row + threads - 1) / threads;
    if (blocks > kMostBlocksInARow) continue;
    Change change{fmt::format("blocks of {} threads instead of {}", threads, shape.block.x),
                  kernel};
    change.kernel.shape.block.x = threads;
    change.kernel.shape.grid.x = static_cast<std::uint32_t>(blocks);
    out.push_back(std::move(change));
  }
  return out;
}

Changes more_blocks(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const std::uint64_t blocks = kernel.shape.blocks();
  const std::uint64_t slots = slots_of(gpu, kernel);
  Changes out;
  for (std::uint64_t more = gpu.sm_count; more <= slots; more += gpu.sm_count) {
    const double factor = static_cast<double>(more) / static_cast<double>(blocks);
    if (factor <= 1 || factor > fewest_iterations(kernel)) continue;
    out.push_back({fmt::format("{} blocks instead of {}, with the same total work", more, blocks),
                   in_blocks(kernel, more)});
  }
  return out;
}

Changes one_wave(const gpu::GpuSpec& gpu, const KernelDescription& kernel) {
  const std::uint64_t slots = slots_of(gpu, kernel);
  if (kernel.shape.blocks() <= slots) return {};
  return {{fmt::format("one wave of {} blocks whose threads loop over the work, instead of {} "
                       "blocks",
                       slots, kernel.shape.blocks()),
           in_blocks(kernel, slots)}};
}

}  // namespace septet::explain
