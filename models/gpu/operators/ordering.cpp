// Largest k, sorts and running sums of rows as PyTorch's kernels make them.
//
//   topk    short rows: a block a row looks for the k-th largest two bits a pass, then a kernel
//   sorts
//           what it found. Long rows: several blocks a row, eight bits a pass, three kernels each
//   sort    one row by radix, eight bits a pass; many by two such sorts, the second one by row
//   cumsum  one row: one pass over it; many: a block a row, 1,024 elements at a time
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {
namespace {

constexpr double kBits = 8;  // of a byte

// From so many columns on several blocks share a row: fewer, the more rows there are.
bool several_blocks(const program::Ordering& what) {
  struct Bound {
    double rows;
    double columns;
  };
  constexpr std::array<Bound, 7> kBounds = {{{20, 20000},
                                             {40, 10000},
                                             {80, 8000},
                                             {199, 5000},
                                             {799, 3000},
                                             {4000, 800},
                                             {std::numeric_limits<double>::infinity(), 400}}};
  const auto bound =
      std::ranges::find_if(kBounds, [&](const Bound& b) { return what.rows <= b.rows; });
  return what.columns >= bound->columns;
}

program::Kernel select_kernel(const GpuSpec& gpu, const program::Ordering& what) {
  constexpr double kBitsOfPass = 2;
  constexpr double kInstructions = 88;
  const double size = bytes_of(what.type);
  const double threads = std::clamp(std::ceil(what.columns / 32) * 32, 32.0, 1024.0);
  const double turns = std::ceil(what.columns / threads);
  const double passes = size * kBits / kBitsOfPass;
  const program::Segment first = segment_of({{program::Pipe::kOther, 20}}, 60,
                                            {load_batch(turns, size, size / 4, what.state.l2_hit)});
  const program::Segment pass =
      segment_of({{program::Pipe::kAlu, kInstructions / 2 * turns},
                  {program::Pipe::kShuffle, 4 * turns},
                  {program::Pipe::kOther, kInstructions / 2}},
                 gpu.operators.rowwise.select_cycles + 40 * (turns - 1), {}, passes);
  return short_kernel("select", what.rows, threads, 32, {first, pass},
                      gpu.operators.rowwise.once_cycles);
}

// A short kernel between others of the operator.
Duration kernels(const GpuSpec& gpu, double count) {
  return scale(gpu.front_end.stream_gap + gpu.operators.call.helper_kernel, count);
}

OperatorTime passes_over(const GpuSpec& gpu, double launches, double bytes) {
  OperatorTime out;
  out.time = gpu.kernel.block.ramp + kernels(gpu, launches) +
             from_seconds(bytes / gpu.kernel.memory.dram_bandwidth.count());
  out.clock = gpu.clock;
  out.activity.dram_bytes = bytes;
  out.limiter = Bottleneck::kDram;
  return out;
}

OperatorTime topk_time(const GpuSpec& gpu, const program::Ordering& what) {
  constexpr double kKernelsOfPass = 3;
  const double size = bytes_of(what.type);
  if (!several_blocks(what)) {
    OperatorTime out = described_time(gpu, select_kernel(gpu, what));
    out.time += from_seconds(written_bytes(what) / gpu.kernel.memory.dram_bandwidth.count());
    out.time += kernels(gpu, 1);
    return out;
  }
  const double passes = size;  // of eight bits
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double bytes = what.rows * what.columns * size;
  return passes_over(
      gpu, kKernelsOfPass * passes + 8,
      bytes * (passes / spec.select_share + 1 / spec.gather_share) + written_bytes(what));
}

OperatorTime sort_time(const GpuSpec& gpu, const program::Ordering& what) {
  constexpr double kBesidePasses = 9;  // indices, histogram, sums of digits, ends
  const double passes = bytes_of(what.type);
  const double sorts = what.rows > 1 ? 2 : 1;
  const double bytes = gpu.operators.rowwise.sort_bytes * sorts / 2 * what.rows * what.columns;
  OperatorTime out = passes_over(gpu, sorts * (passes + kBesidePasses), bytes);
  const Duration alone = scale(gpu.operators.rowwise.sort_pass, sorts * passes);
  out.time += std::max(alone, from_seconds(bytes / gpu.kernel.memory.dram_bandwidth.count())) -
              from_seconds(bytes / gpu.kernel.memory.dram_bandwidth.count());
  return out;
}

OperatorTime cumsum_time(const GpuSpec& gpu, const program::Ordering& what) {
  constexpr double kElementsOfTurn = 1024;
  if (what.rows == 1) return passes_over(gpu, 1, operand_bytes(what));
  const double size = bytes_of(what.type);
  const program::Segment turn = segment_of(
      {{program::Pipe::kAlu, 30}, {program::Pipe::kFma, 10}, {program::Pipe::kOther, 20}},
      gpu.operators.rowwise.scan_cycles,
      {load_batch(2, 4 * size, size, what.state.l2_hit), store_batch(2, 4 * size, size, 0)},
      std::max(1.0, what.columns / kElementsOfTurn));
  return described_time(
      gpu, short_kernel("scan", what.rows, 512, 32, {turn}, gpu.operators.rowwise.once_cycles));
}

}  // namespace

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Ordering& what,
                          const program::OperatorWork&) {
  switch (what.what) {
    case program::Order::kTopK:
      return {topk_time(gpu, what),
              several_blocks(what) ? "several blocks a row" : "a block a row"};
    case program::Order::kSort:
      return {sort_time(gpu, what), "by radix"};
    case program::Order::kCumsum:
      break;
  }
  return {cumsum_time(gpu, what), what.rows > 1 ? "a block a row" : "one pass"};
}

}  // namespace septet::gpu
