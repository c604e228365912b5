// Sums of rows of a table by PyTorch's kernel: a warp takes 32 columns of a bag and goes over its
// rows, an index and then 32 elements. At most 1,024 blocks of 8 warps, which take several.
#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {

LibraryKernels kernels_of(const GpuSpec& gpu, const program::EmbeddingBag& what,
                          const program::OperatorWork&) {
  constexpr double kWarps = 8;
  constexpr double kMostBlocks = 1024;
  constexpr double kIndicesOfSector = 4;
  const double ahead = std::min(2.0, what.bag);  // rows that the loop loads at once
  const double size = bytes_of(what.type);
  const double chunks = what.batch * std::ceil(what.dim / 32);
  const double blocks = std::clamp(std::ceil(chunks / kWarps), 1.0, kMostBlocks);
  const double rounds = std::max(1.0, chunks / (blocks * kWarps));
  program::MemoryBatch index = load_batch(ahead, 1, 1, 0);
  index.l1_hit = what.bag > 1 ? 1 - 1 / kIndicesOfSector : 0.0;
  program::MemoryBatch row = load_batch(ahead, size, size / 4, 0);
  row.footprint_bytes = what.table_rows * what.dim * size;
  row.streaming = false;
  row.extra_rows = 1 - 32 * size / static_cast<double>(gpu.kernel.memory.dram_row.count());
  row.l2_hit = l2_hit_rate(gpu.kernel.memory, row.footprint_bytes) * what.state.l2_hit;
  const program::Segment add =
      segment_of({{program::Pipe::kFma, 2}, {program::Pipe::kAlu, 10}, {program::Pipe::kOther, 10}},
                 60, {index, row}, rounds * std::max(1.0, what.bag / ahead));
  const program::Segment write =
      segment_of({{program::Pipe::kAlu, 10}, {program::Pipe::kOther, 20}}, 100,
                 {load_batch(2, 1, 1, 0), store_batch(1, size, size / 4, 0)}, rounds);
  return {short_kernel("embedding_bag", blocks, kWarps * 32, 32, {write, add},
                       gpu.operators.rowwise.once_cycles)};
}

}  // namespace septet::gpu
