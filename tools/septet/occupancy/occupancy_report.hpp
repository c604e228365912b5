// The result of `septet occupancy`, before it is printed as text or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/occupancy/block_size.hpp"
#include "models/gpu/occupancy/clusters.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "models/gpu/occupancy/ptxas_report.hpp"
#include "models/gpu/occupancy/resource_budget.hpp"
#include "models/gpu/occupancy/waves.hpp"

namespace septet::command {

// __launch_bounds__(threads, blocks)
struct LaunchBounds {
  std::uint32_t threads = 0;
  std::uint32_t blocks = 1;
};

struct OccupancyQuestion {
  std::string gpu_name;  // as the profile calls it
  std::string kernel;    // empty: the numbers came from the command line
  gpu::GpuSpec gpu;
  program::LaunchShape shape;
  gpu::OccupancyOptions options;
  bool grid_given = false;             // else the shape's grid means nothing
  std::vector<std::uint32_t> gpc_sms;  // SMs of each GPC, if known
  std::optional<LaunchBounds> bounds;
};

// What the compiler does under the launch bounds that are asked about.
struct BoundsAnswer {
  LaunchBounds bounds;
  std::uint32_t registers = 0;  // the most that it hands out
  bool squeezes = false;        // the current kernel takes more: it would spill or need changes
  std::optional<gpu::Occupancy> after;  // with no more than these; only where it squeezes
};

struct OccupancyReport {
  OccupancyQuestion question;
  gpu::Occupancy occupancy;
  std::vector<gpu::OccupancyLimiter> limiters;
  gpu::FreeRoom room;
  std::vector<gpu::BlockTarget> targets;
  std::vector<gpu::BlockSizePoint> curve;
  gpu::BlockSizeChoice choice;
  std::optional<gpu::Waves> waves;
  std::optional<gpu::ClusterOccupancy> clusters;
  std::optional<BoundsAnswer> bounds;
};

// Throws ModelError as the models do: when not one block can run, when the cluster doesn't fit, or
// when no register count meets the launch bounds.
OccupancyReport answer(const OccupancyQuestion& question);

// One line for each kernel of a compiler's report.
struct KernelLine {
  gpu::PtxasFunction kernel;
  std::optional<gpu::Occupancy> occupancy;  // nothing: it cannot run with this block
  std::string refusal;
};

std::vector<KernelLine> answer_each(const OccupancyQuestion& question,
                                    const std::vector<gpu::PtxasFunction>& kernels);

// The question for one of those kernels: its registers, static shared memory and barriers.
OccupancyQuestion question_for(const OccupancyQuestion& question, const gpu::PtxasFunction& kernel);

}  // namespace septet::command
