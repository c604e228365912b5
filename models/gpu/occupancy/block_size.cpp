#include "models/gpu/occupancy/block_size.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

program::LaunchShape with_block(const program::LaunchShape& shape, std::uint32_t threads) {
  program::LaunchShape out = shape;
  out.grid = {};
  out.cluster = {};
  out.block = {threads, 1, 1};
  return out;
}

BlockSizePoint point_at(const SmSpec& sm, const program::LaunchShape& shape,
                        const OccupancyOptions& options) {
  BlockSizePoint point;
  point.threads = shape.block.x;
  if (why_impossible(sm, shape, options)) return point;
  const Occupancy occupancy = occupancy_of(sm, shape, options);
  point.blocks_per_sm = occupancy.blocks_per_sm;
  point.threads_per_sm = occupancy.blocks_per_sm * point.threads;
  point.occupancy = occupancy.occupancy;
  point.limiter = occupancy.limiter;
  return point;
}

std::string reason_for(const std::vector<BlockSizePoint>& equal) {
  const BlockSizePoint& largest = equal.back();
  if (equal.size() == 1) {
    return fmt::format("no other block size keeps {} threads resident on an SM",
                       largest.threads_per_sm);
  }
  return fmt::format(
      "{} block sizes keep {} threads resident on an SM; {} is the largest, which the CUDA runtime "
      "would suggest; {} has a shorter tail and waits for fewer warps at a barrier",
      equal.size(), largest.threads_per_sm, largest.threads, equal.front().threads);
}

}  // namespace

std::vector<BlockSizePoint> block_size_curve(const SmSpec& sm, const program::LaunchShape& shape,
                                             const OccupancyOptions& options,
                                             std::uint32_t max_threads) {
  const std::uint32_t most =
      max_threads == 0 ? sm.max_threads_per_block : std::min(max_threads, sm.max_threads_per_block);
  std::vector<BlockSizePoint> curve;
  for (std::uint32_t threads = kThreadsPerWarp; threads <= most; threads += kThreadsPerWarp) {
    curve.push_back(point_at(sm, with_block(shape, threads), options));
  }
  return curve;
}

BlockSizeChoice suggest_block_size(const SmSpec& sm, const program::LaunchShape& shape,
                                   const OccupancyOptions& options, std::uint32_t max_threads) {
  const auto curve = block_size_curve(sm, shape, options, max_threads);
  std::uint32_t most = 0;
  for (const BlockSizePoint& point : curve) most = std::max(most, point.threads_per_sm);
  if (most == 0) {
    const program::LaunchShape one_warp = with_block(shape, kThreadsPerWarp);
    throw ModelError("no block size can run: " +
                     why_impossible(sm, one_warp, options).value_or("no size is allowed"));
  }
  BlockSizeChoice choice;
  std::copy_if(curve.begin(), curve.end(), std::back_inserter(choice.equal),
               [most](const BlockSizePoint& point) { return point.threads_per_sm == most; });
  choice.best = choice.equal.back();
  choice.why = reason_for(choice.equal);
  return choice;
}

}  // namespace septet::gpu
