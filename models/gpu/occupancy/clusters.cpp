#include "models/gpu/occupancy/clusters.hpp"

#include <numeric>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

void check_size(std::uint64_t blocks, const ClusterLayout& layout) {
  if (blocks == 0 || blocks > layout.max_blocks) {
    throw ModelError(
        fmt::format("a cluster has {} blocks, wanted 1 to {}", blocks, layout.max_blocks));
  }
}

void check_divides(const program::Dim3& grid, const program::Dim3& cluster) {
  if (grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0) return;
  throw ModelError(
      fmt::format("a grid of {} x {} x {} blocks can't be divided into clusters of {} x {} x {}",
                  grid.x, grid.y, grid.z, cluster.x, cluster.y, cluster.z));
}

void check_layout(const ClusterLayout& layout) {
  const auto& gpcs = layout.sms_per_gpc;
  const auto sum = std::accumulate(gpcs.begin(), gpcs.end(), std::uint64_t{0});
  if (!gpcs.empty() && sum != layout.sm_count) {
    throw ModelError(
        fmt::format("the GPCs have {} SMs together, the GPU has {}", sum, layout.sm_count));
  }
}

std::uint32_t clusters_on(std::uint64_t sms, const Occupancy& occupancy, std::uint64_t blocks) {
  return static_cast<std::uint32_t>(sms * occupancy.blocks_per_sm / blocks);
}

std::uint32_t clusters_on_gpu(const ClusterLayout& layout, const Occupancy& occupancy,
                              std::uint64_t blocks) {
  if (layout.sms_per_gpc.empty()) return clusters_on(layout.sm_count, occupancy, blocks);
  std::uint32_t sum = 0;
  for (const std::uint32_t sms : layout.sms_per_gpc) sum += clusters_on(sms, occupancy, blocks);
  return sum;
}

}  // namespace

ClusterOccupancy cluster_occupancy(const program::LaunchShape& shape, const Occupancy& occupancy,
                                   const ClusterLayout& layout) {
  const std::uint64_t blocks = shape.cluster.volume();
  check_size(blocks, layout);
  check_divides(shape.grid, shape.cluster);
  check_layout(layout);
  ClusterOccupancy out;
  out.blocks_per_cluster = static_cast<std::uint32_t>(blocks);
  out.clusters = clusters_on_gpu(layout, occupancy, blocks);
  if (out.clusters == 0) {
    throw ModelError(
        fmt::format("a cluster of {} blocks does not fit in any GPC: an SM holds {} of them",
                    blocks, occupancy.blocks_per_sm));
  }
  out.blocks = out.clusters * out.blocks_per_cluster;
  out.portable = blocks <= layout.max_portable;
  out.upper_bound = blocks > 1 && layout.sms_per_gpc.empty();
  return out;
}

}  // namespace septet::gpu
