// Sums over the rows of a matrix by PyTorch's reduction: blocks of 128 threads, a warp over 128
// columns of a row at once, 16 rows of a thread and more; where rows are many several blocks share
// the columns, and the last of them adds up what the others found.
#include <algorithm>
#include <cmath>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {

LibraryKernels kernels_of(const GpuSpec& gpu, const program::SumRows& what,
                          const program::OperatorWork&) {
  constexpr double kWarps = 4;
  constexpr double kColumns = 128;  // of a warp
  constexpr double kInFlight = 4;
  constexpr double kLeast = 16;  // rows of a thread where blocks share columns
  constexpr double kMost = 256;
  const double size = bytes_of(what.type);
  const double across = std::ceil(what.columns / kColumns);
  const double each = std::ceil(what.rows / kWarps);
  program::Kernel kernel =
      short_kernel("sum_rows", across, kWarps * 32, 54, {}, gpu.operators.rowwise.once_cycles);
  const double fill = std::ceil(resident_blocks(gpu, kernel, 1e9) / across);
  const double sharing =
      each < kMost / kInFlight
          ? 1
          : std::max(std::min(fill, std::ceil(each / kLeast)), std::ceil(each / kMost));
  kernel.shape.grid.y = static_cast<std::uint32_t>(sharing);
  const double turns = std::max(1.0, each / sharing / kInFlight);
  const program::Segment add = segment_of(
      {{program::Pipe::kFma, 16}, {program::Pipe::kAlu, 32}, {program::Pipe::kOther, 40}}, 300,
      {load_batch(kInFlight, 4 * size, size, what.state.l2_hit)}, turns);
  const program::Segment tree = segment_of(
      {{program::Pipe::kShuffle, 10}, {program::Pipe::kFma, 20}, {program::Pipe::kOther, 60}},
      1500);
  std::get<program::InstructionWork>(kernel.work).segments = {add, tree};
  OperatorTime out = described_time(gpu, kernel);
  if (sharing > 1) {               // counters are cleared first
    constexpr double kHalf = 0.5;  // of a short kernel: a memset
    out.time += scale(gpu.operators.rowwise.grid_reduce, sharing) + gpu.front_end.stream_gap +
                scale(gpu.operators.call.helper_kernel, kHalf);
  }
  return {out, sharing > 1 ? "several blocks share columns" : "a block its columns"};
}

}  // namespace septet::gpu
