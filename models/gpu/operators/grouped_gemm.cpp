// Products of the experts of a mixture, as CUTLASS's grouped kernel computes them for PyTorch.
//
// A kernel prepares the pointers, then persistent blocks take the tiles of all experts. Each expert
// that has any row reads its weights once, whatever its rows; tiles round its rows up. The weights
// lie with n contiguous, so a tile's copies take short pieces of rows, and DRAM gives a share of
// its bandwidth (grouped.dram_share). Rows of a tile: 64 where experts have few on average, else
// 128.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/gpu/operators/gemm.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/tensor_rate.hpp"

namespace septet::gpu {
namespace {

Tile grouped_tile(const program::GroupedGemm& what) {
  constexpr double kFew = 128;  // rows of an expert on average, or columns
  return what.tokens / what.experts <= kFew || what.n <= kFew ? Tile{64, 128} : Tile{128, 256};
}

TileKernel grouped_tiles(const GpuSpec& gpu, const program::GroupedGemm& what, Tile tile) {
  const std::vector<double> experts = rows_of_experts(what);
  double tiles = 0;
  for (const double rows : experts) tiles += std::ceil(rows / tile.m) * std::ceil(what.n / tile.n);
  // Tiles of the largest expert share its weights' copies.
  const double across = std::ceil(experts.front() / tile.m);
  program::Gemm product{.m = tile.m * across,
                        .n = tile.n,
                        .k = what.k,
                        .batch = tiles / across,
                        .type = what.type,
                        .state = what.state};
  TileKernel out = tiled(gpu, product, tile, 1);
  const double written = written_bytes(what);
  out.tiles = tiles;
  out.dram_read = (operand_bytes(what) - written) * (1 - what.state.l2_hit);
  out.dram_write = what.state.l2_dirty       ? cold_writes(gpu, out.dram_read, written)
                   : what.state.output_stays ? 0.0
                                             : written;
  out.dram_share = gpu.operators.grouped.dram_share;
  out.tile_end_cycles += gpu.operators.grouped.tile_cycles;
  out.activity = {out.dram_read + out.dram_write, out.l2_bytes * out.steps * tiles,
                  operations(what), what.type, 1};
  return out;
}

}  // namespace

LibraryKernels kernels_of(const GpuSpec& gpu, const program::GroupedGemm& what,
                          const program::OperatorWork& work) {
  const Tile tile = grouped_tile(what);
  const TileKernel tiles = grouped_tiles(gpu, what, tile);
  const auto at = [&](Frequency clock) {
    OperatorTime out = pipeline_time(gpu, tiles, clock);
    out.time += gpu.operators.grouped.prepare;
    return out;
  };
  return {under_load(gpu, at, work.load),
          fmt::format("{} tiles of {} x {} of {} experts", tiles.tiles, tile.m, tile.n,
                      rows_of_experts(what).size())};
}

}  // namespace septet::gpu
