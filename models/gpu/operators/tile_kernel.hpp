// Software pipelines of tiles: kernels whose SMs each work on one tile after the other, with
// asynchronous copies into shared memory ahead of the tensor cores.
//
// One step on one SM, in cycles:
//   (sum of x^7 over least, tensor, shared, copy, L2, DRAM)^(1/7)
// L2 and DRAM: what all active SMs move in a step over the bandwidth, so the last wave, which has
// fewer of them, has more for each. A tile takes its steps and what nothing overlaps; the kernel
// takes whole waves of tiles, a partial last one, start and end, and the dispatch of its blocks.
//
// Ignored: blocks that drift apart between waves; more than one tile at once on an SM.
#pragma once

#include "models/gpu/operators/operator_time.hpp"

namespace septet::gpu {

struct TileKernel {
  double tiles = 0;
  // Of one step on one SM.
  double steps = 1;       // of a tile
  double tensor = 0;      // cycles of the tensor cores
  double shared = 0;      // cycles of shared memory
  double copy_bytes = 0;  // into the SM
  double l2_bytes = 0;    // out of the L2 cache; what a cluster shares counts once
  // Of the kernel.
  double dram_read = 0;  // bytes
  double dram_write = 0;
  double dram_share = 1;  // of the bandwidth, against other pipelines
  double start_cycles = 0;
  double end_cycles = 0;
  double tile_end_cycles = 0;  // of a tile, that nothing overlaps
  Activity activity;
};

OperatorTime pipeline_time(const GpuSpec& gpu, const TileKernel& kernel, Frequency clock);

}  // namespace septet::gpu
