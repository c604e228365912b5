// Thread block clusters: how many fit on the GPU at once.
//
// All blocks of a cluster run at the same time inside one GPC (a group of SMs), so a GPC with s SMs
// of b blocks each holds floor(s b / n) clusters of n blocks. How the SMs are spread over the GPCs
// differs from chip to chip of one product. Where it isn't known, only the upper bound
// floor(SMs b / n) can be given, and the result says so. Source: CUDA programming guide, "Thread
// block clusters" (8 blocks run on every GPU that has clusters, more only where the kernel allows).
// Not yet compared with a measurement.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/occupancy/occupancy.hpp"

namespace septet::gpu {

struct ClusterLayout {
  std::uint32_t sm_count = 0;
  std::uint32_t max_portable = 8;          // blocks per cluster on any GPU with clusters
  std::uint32_t max_blocks = 16;           // blocks per cluster when the kernel opts in
  std::vector<std::uint32_t> sms_per_gpc;  // empty: not known
};

struct ClusterOccupancy {
  std::uint32_t blocks_per_cluster = 1;
  std::uint32_t clusters = 0;  // on the whole GPU at once
  std::uint32_t blocks = 0;    // in those clusters
  bool portable = true;        // needs no opt-in to a non-portable cluster size
  bool upper_bound = false;    // the GPCs aren't known: fewer may fit
};

// Throws ModelError when the cluster has zero or too many blocks, doesn't divide the grid, or fits
// into no GPC.
ClusterOccupancy cluster_occupancy(const program::LaunchShape& shape, const Occupancy& occupancy,
                                   const ClusterLayout& layout);

}  // namespace septet::gpu
