// A copy that reads a matrix by columns: PyTorch's kernel for operands that aren't contiguous. A
// warp writes neighbouring elements and reads one of each row. Rows of neighbouring columns share
// sectors; whether these are still in a cache when their turn comes is a matter of the rows
// between.
#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Transpose& what,
                          const program::OperatorWork&) {
  constexpr double kThreads = 128;
  constexpr double kEach = 4;
  constexpr double kCode = 200;
  constexpr double kSector = 32;
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double size = bytes_of(what.type);
  const double elements = what.rows * what.columns;
  const double sharing = kSector / size;  // elements of a sector
  // One output row reads a sector of each input row, for which the cache keeps a line.
  constexpr double kLine = 128;
  const double kept = l2_hit_rate(gpu.kernel.memory, what.rows * kLine);
  const double misses = (1 - what.state.l2_hit) * (kept / sharing + (1 - kept));
  const double hit = write_hit(gpu, what.state, elements * size, elements * size);
  program::MemoryBatch columns = load_batch(kEach, 32, 32, 1 - misses);
  // Of the DRAM rows that a warp's 32 rows span, those that no other warp has open.
  constexpr double kClosed = 0.6;
  const double span = 32 * what.columns * size;
  const auto row = static_cast<double>(gpu.kernel.memory.dram_row.count());
  columns.extra_rows = kClosed * (1 - kept) * std::min(32.0, span / row);
  const program::Segment copy =
      segment_of({{program::Pipe::kInteger, kEach * 12},
                  {program::Pipe::kAlu, kEach * 24},
                  {program::Pipe::kOther, 40}},
                 spec.index_chain_cycles, {columns, store_batch(kEach, size, size / 4, hit)});
  return {short_kernel("transpose", elements / (kThreads * kEach), kThreads, 18, {copy},
                       spec.once_cycles + spec.cold_code_cycles * kCode)};
}

}  // namespace septet::gpu
