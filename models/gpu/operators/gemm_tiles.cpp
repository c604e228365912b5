#include "models/gpu/operators/gemm_tiles.hpp"

namespace septet::gpu {
namespace {

std::vector<Tile> wgmma_tiles(const TensorSpec& spec) {
  constexpr double kStageBytes = 128;  // of each row and column
  constexpr double kStages = 3;
  constexpr double kSharedBytes = 227 * 1024;
  std::vector<Tile> out;
  for (const double p : {64, 128, 192, 256}) {
    for (const double q :
         {8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256}) {
      const bool fits = (p + q) * kStageBytes * kStages <= kSharedBytes;
      if (fits && p * q <= spec.accumulator) out.push_back({p, q});
    }
  }
  return out;
}

std::vector<Tile> mma_tiles(const TensorSpec& spec) {
  std::vector<Tile> out;
  for (const double m : {16, 32, 64, 128, 256}) {
    for (const double n : {64, 128, 256}) {
      if (m * n <= spec.accumulator) out.push_back({m, n});
    }
  }
  return out;
}

bool oversized(double tile, double matrix) {
  constexpr double kSmallest = 64;
  return tile > kSmallest && tile >= 2 * matrix;
}

}  // namespace

std::vector<Tile> library_tiles(const TensorSpec& spec) {
  std::vector<Tile> out = spec.mma_rows > 0 ? wgmma_tiles(spec) : mma_tiles(spec);
  const std::size_t upright = out.size();
  for (std::size_t t = 0; t < upright; ++t) {
    if (out[t].m != out[t].n) out.push_back({out[t].n, out[t].m});
  }
  return out;
}

std::vector<Tile> sensible_tiles(const TensorSpec& spec, const program::Gemm& gemm) {
  std::vector<Tile> out;
  for (const Tile tile : library_tiles(spec)) {
    if (!oversized(tile.m, gemm.m) && !oversized(tile.n, gemm.n)) out.push_back(tile);
  }
  return out;
}

}  // namespace septet::gpu
