#include "models/gpu/operators/gemm_tiles.hpp"

#include <cmath>

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

// Kernels of the FMA pipes; those with warps' own instructions come in smaller tiles, too.
std::vector<Tile> large_tiles() {
  return {{256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}};
}
std::vector<Tile> warp_tiles() {
  std::vector<Tile> out = large_tiles();
  out.insert(out.end(), {{64, 32}, {32, 64}, {32, 32}});
  return out;
}

std::vector<Tile> family_tiles(const TensorSpec& spec, GemmFamily family) {
  switch (family) {
    case GemmFamily::kLibrary:
      return library_tiles(spec);
    case GemmFamily::kElements:
      return warp_tiles();
    case GemmFamily::kFma:
      break;
  }
  return large_tiles();
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

double alignment_of(const program::Gemm& gemm) {
  constexpr double kLibrary = 16;
  double out = kLibrary;
  for (const double stride : {gemm.k * bytes_of(gemm.type), gemm.n * result_size(gemm)}) {
    if (std::fmod(stride, 1) != 0) return kLibrary;  // an estimate, not a size
    while (out > 1 && std::fmod(stride, out) != 0) out /= 2;
  }
  return out;
}

GemmFamily family_of(const program::Gemm& gemm) {
  if (gemm.type == program::DataType::kFp32) return GemmFamily::kFma;
  return alignment_of(gemm) < 16 ? GemmFamily::kElements : GemmFamily::kLibrary;
}

std::vector<Tile> sensible_tiles(const TensorSpec& spec, const program::Gemm& gemm) {
  std::vector<Tile> out;
  for (const Tile tile : family_tiles(spec, family_of(gemm))) {
    if (!oversized(tile.m, gemm.m) && !oversized(tile.n, gemm.n)) out.push_back(tile);
  }
  return out;
}

}  // namespace septet::gpu
