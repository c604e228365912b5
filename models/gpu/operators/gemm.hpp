// Products of matrices, y(m x n) = a(m x k) b(n x k)^T: which tile a library takes, and its time.
//
// A tile of bm x bn takes k-steps of 128 bytes. With P the side that an instruction's rows divide
// and Q the other, a step takes
//   tensor = 2 bm bn (128 / size) / flops / efficiency
//   shared = 4 ceil(P / R) 32 (R + Q / pair) / bytes a cycle      R: rows of an instruction
//   copy   = 128 (small + big / pair)    L2 = 128 (small + big / multicast)
// (before wgmma, operands pass through registers: 2 x 128 bm bn / the side of a warp's tile).
// Libraries that choose take the tile and the split of k with the least predicted time; the parts
// of a split product are added up by a second kernel.
//
// DRAM: operands once, and what later waves must read again: half of what they read more than
// once, times the share of a wave's patch of operands that the L2 cache fails to keep, where
// operands and output fill more than 0.7 of it.
//
// Ignored: the order of tiles other than a square patch; stream-K; sparsity. Source of the family
// of tiles: names of kernels in traces (nvjet_..._128x256_64x4). Validated against group op.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/tile_kernel.hpp"

namespace septet::gpu {

struct Tile {
  double m = 0;
  double n = 0;
  constexpr bool operator==(const Tile&) const = default;
};

// What a library leaves open.
struct GemmChoice {
  std::optional<Tile> tile;   // it always takes this one
  double tiles_in_a_row = 1;  // tiles along m come in groups of this size
  bool may_split = true;      // k over several blocks
  // Bytes of an element of b in memory where it is converted on the way into the tensor cores; 0:
  // those of the type.
  double stored_size = 0;
  double copy_cost = 1;  // of a byte copied into an SM, against other products
};

struct GemmPlan {
  Tile tile;
  double split = 1;
  TileKernel kernel;
  OperatorTime alone;  // at full clock
};

// The product in tiles of one size. Throws ModelError where the GPU can't compute with the type.
TileKernel tiled(const GpuSpec& gpu, const program::Gemm& gemm, Tile tile, double split,
                 const GemmChoice& choice = {});

// The plan of least time.
GemmPlan plan_gemm(const GpuSpec& gpu, const program::Gemm& gemm, const GemmChoice& choice = {});

// Of a plan at another clock, the kernel that adds up parts included.
OperatorTime plan_time(const GpuSpec& gpu, const program::Gemm& gemm, const GemmPlan& plan,
                       Frequency clock);
// At the clock that the load leaves.
OperatorTime plan_time(const GpuSpec& gpu, const program::Gemm& gemm, const GemmPlan& plan,
                       const program::LoadHistory& history);

// "32 tiles of 128 x 256, k split into 2"
std::string plan_text(const GemmPlan& plan);

OperatorTime gemm_time(const GpuSpec& gpu, const program::Gemm& gemm, const GemmChoice& choice,
                       const program::LoadHistory& history);

}  // namespace septet::gpu
