#include "models/gpu/operators/gemm_variants.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/operators/gemm_tiles.hpp"
#include "models/gpu/operators/short_kernel.hpp"
#include "models/gpu/operators/tensor_rate.hpp"

namespace septet::gpu {

void copy_by_elements(const GpuSpec& gpu, const program::Gemm& gemm, Tile tile, double split,
                      TileKernel& kernel) {
  constexpr double kStepBytes = 64;
  const MmaSpec& spec = gpu.operators.mma;
  const double size = bytes_of(gemm.type);
  constexpr double kWidest = 4;  // bytes: the kernels for less than 16 come no wider
  const double access = std::min(kWidest, alignment_of(gemm));
  const double bytes = (tile.m + tile.n) * kStepBytes;
  const double half = bytes_of(program::DataType::kBf16);
  kernel.steps = std::ceil(gemm.k * size / kStepBytes / split);
  const double flops = std::min(spec.flops * half / size, tensor_rate(gpu.tensor, gemm.type));
  kernel.tensor = 2 * tile.m * tile.n * (kStepBytes / size) / flops;
  kernel.shared = 0;
  kernel.l2_bytes = bytes;
  const double cycles = bytes / access * spec.access_cycles;
  kernel.copy_bytes = std::max(bytes, cycles * gpu.operators.pipeline.copy_bytes);
  kernel.tile_end_cycles = tile.m * tile.n * result_size(gemm) / access * spec.store_cycles;
}

GemmChoice rowwise_choice(const program::Gemm& gemm) {
  constexpr double kSmall = 64;
  GemmChoice out;
  out.may_split = false;
  out.tile = gemm.m <= kSmall || gemm.n <= kSmall ? Tile{64, 128} : Tile{128, 128};
  return out;
}

program::Kernel int4_kernel(const GpuSpec& gpu, const program::Gemm& gemm) {
  constexpr double kRows = 16;
  constexpr double kColumns = 8;
  constexpr double kWarps = 8;
  constexpr double kDepth = 128;  // of k, a turn of a warp
  constexpr std::uint32_t kRegisters = 64;
  const double blocks = std::ceil(gemm.m / kRows) * std::ceil(gemm.n / kColumns);
  const double turns = std::max(1.0, gemm.k / kDepth / kWarps);
  const double first = 1 / std::ceil(gemm.m / kRows);  // share of reads that find weights cold
  program::MemoryBatch weights = load_batch(1, kColumns * kDepth / 2 / 32, 4, 1 - first);
  program::MemoryBatch rows = load_batch(8, 16, 8, 1);
  const program::Segment turn =
      segment_of({{program::Pipe::kTensor, kDepth / 16},
                  {program::Pipe::kFma, 64},
                  {program::Pipe::kAlu, 96},
                  {program::Pipe::kOther, gpu.operators.gemm.int4_instructions}},
                 300, {weights, rows}, turns);
  const program::Segment tree = segment_of(
      {{program::Pipe::kLsu, 8}, {program::Pipe::kFma, 8}, {program::Pipe::kOther, 30}}, 600);
  return short_kernel("int4 product", blocks, kWarps * 32, kRegisters, {turn, tree},
                      gpu.operators.rowwise.once_cycles);
}

OperatorTime int4_time(const GpuSpec& gpu, const program::Gemm& gemm) {
  const double read = (operand_bytes(gemm) - written_bytes(gemm)) * (1 - gemm.state.l2_hit);
  const double bytes = gemm.state.output_stays ? read : read + written_bytes(gemm);
  const Duration moving = from_seconds(bytes / gpu.kernel.memory.dram_bandwidth.count());
  const double flops = operations(gemm) / (tensor_rate(gpu.tensor, gemm.type) * gpu.sm_count);
  OperatorTime out = described_time(gpu, int4_kernel(gpu, gemm));
  out.time = std::max({out.time, moving, cycle_time(flops, gpu.clock)});
  return out;
}

}  // namespace septet::gpu
