#include "tools/septet/occupancy/occupancy_report.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::command {
namespace {

BoundsAnswer answer_bounds(const OccupancyQuestion& question, const LaunchBounds& bounds) {
  const gpu::SmSpec& sm = question.gpu.sm;
  const auto registers = max_registers_for(sm, bounds.threads, bounds.blocks);
  if (!registers) {
    throw ModelError(fmt::format(
        "launch bounds of {} threads and {} blocks: an SM holds at most {} threads and {} blocks",
        bounds.threads, bounds.blocks, sm.max_warps * gpu::kThreadsPerWarp, sm.max_blocks));
  }
  BoundsAnswer out{bounds, *registers, question.shape.registers_per_thread > *registers, {}};
  if (!out.squeezes) return out;
  program::LaunchShape squeezed = question.shape;
  squeezed.registers_per_thread = *registers;
  out.after = occupancy_of(sm, squeezed, question.options);
  return out;
}

}  // namespace

OccupancyReport answer(const OccupancyQuestion& question) {
  const gpu::SmSpec& sm = question.gpu.sm;
  const program::LaunchShape& shape = question.shape;
  OccupancyReport out;
  out.question = question;
  out.occupancy = occupancy_of(sm, shape, question.options);
  out.limiters = limiters_of(out.occupancy);
  out.room = free_room(sm, shape, question.options);
  out.targets = next_targets(sm, shape, question.options);
  out.curve = block_size_curve(sm, shape, question.options);
  out.choice = suggest_block_size(sm, shape, question.options);
  if (question.grid_given) {
    out.waves = gpu::waves_of(shape.blocks(), out.occupancy.blocks_per_sm, question.gpu.sm_count);
  }
  if (shape.cluster.volume() != 1) {
    gpu::ClusterLayout layout;
    layout.sm_count = question.gpu.sm_count;
    layout.sms_per_gpc = question.gpc_sms;
    out.clusters = cluster_occupancy(shape, out.occupancy, layout);
  }
  if (question.bounds) out.bounds = answer_bounds(question, *question.bounds);
  return out;
}

OccupancyQuestion question_for(const OccupancyQuestion& question,
                               const gpu::PtxasFunction& kernel) {
  OccupancyQuestion out = question;
  out.kernel = kernel.name;
  out.shape.registers_per_thread = kernel.registers;
  out.shape.static_shared = kernel.static_shared;
  out.options.barriers = kernel.barriers;
  return out;
}

std::vector<KernelLine> answer_each(const OccupancyQuestion& question,
                                    const std::vector<gpu::PtxasFunction>& kernels) {
  std::vector<KernelLine> out;
  for (const gpu::PtxasFunction& kernel : kernels) {
    const OccupancyQuestion one = question_for(question, kernel);
    KernelLine line{kernel, {}, {}};
    if (const auto reason = why_impossible(one.gpu.sm, one.shape, one.options)) {
      line.refusal = *reason;
    } else {
      line.occupancy = occupancy_of(one.gpu.sm, one.shape, one.options);
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace septet::command
