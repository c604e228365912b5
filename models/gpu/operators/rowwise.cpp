// Operators over rows of a matrix, and sums: kernels in the form that the
// kernel model times, with the frameworks' own division of work.
#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/norm_backward.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {
namespace {

// `iterations` on average over the warps: where the row ends within an iteration, some warps go
// through one more than others, for which the block waits. So latencies count whole iterations,
// work the average.
program::Segment in_iterations(program::Segment segment, double iterations) {
  segment.repeat = std::ceil(iterations);
  const double share = iterations / segment.repeat;
  for (double& count : segment.instructions) count *= share;
  for (program::MemoryBatch& batch : segment.batches) batch.requests *= share;
  return segment;
}

double matrix_bytes(const program::Rowwise& what) {
  return what.rows * what.columns * bytes_of(what.type);
}

double output_hit(const GpuSpec& gpu, const program::Rowwise& what) {
  return write_hit(gpu, what.state, matrix_bytes(what), matrix_bytes(what));
}

program::Segment norm_sums(const GpuSpec& gpu, bool layer, double iterations, double size,
                           const program::OperandState& state) {
  constexpr double kSquares = 0.15;  // a sum of squares against a Welford update
  return in_iterations(
      segment_of({{program::Pipe::kFma, layer ? 30 : 16},
                  {program::Pipe::kAlu, 14},
                  {program::Pipe::kSfu, layer ? 4 : 0},
                  {program::Pipe::kOther, 10}},
                 gpu.operators.rowwise.norm_chain_cycles * (layer ? 1.0 : kSquares) + 60,
                 {load_batch(1, 4 * size, size, state.l2_hit)}),
      iterations);
}

// `first`: share of the rows that find the weights cold. `again`: bytes of the rows of an SM, which
// are read a second time.
program::Segment norm_scale(const GpuSpec& gpu, bool layer, double iterations, double first,
                            double again, double size, const program::OperandState& state,
                            double output_hit) {
  constexpr double kInL1 = 0.7;  // of what an earlier block brought
  const double warm = state.weights_cold ? 0.0 : state.l2_hit;
  program::MemoryBatch weights =
      load_batch(layer ? 2 : 1, 4 * size, size, std::max(warm, 1.0 - first));
  weights.l1_hit = (1.0 - first) * kInL1;
  program::MemoryBatch row = load_batch(1, 4 * size, size, 1);
  row.l1_hit = l1_hit_rate(gpu.kernel.memory, again);
  return in_iterations(
      segment_of(
          {{program::Pipe::kFma, 12}, {program::Pipe::kAlu, 16}, {program::Pipe::kOther, 12}}, 90,
          {weights, row, store_batch(1, 4 * size, size, output_hit)}),
      iterations);
}

// 128 threads a row, 4 elements a load: sums over the row, a tree, the row again out of L1 with its
// weights.
program::Kernel norm_kernel(const GpuSpec& gpu, const program::Rowwise& what) {
  constexpr double kElementsPerIteration = 512;
  constexpr Bytes kShared{24};
  const bool layer = what.what == program::RowOperator::kLayerNorm;
  const double iterations = std::max(1.0, what.columns / kElementsPerIteration);
  program::Kernel kernel =
      short_kernel("norm", what.rows, 128, 27, {}, gpu.operators.rowwise.once_cycles, kShared);
  const double slots =
      static_cast<double>(occupancy_of(gpu.sm, kernel.shape).blocks_per_sm) * gpu.sm_count;
  const double first = std::clamp(slots, 1.0, what.rows) / what.rows;
  const double size = bytes_of(what.type);
  const double again = std::min(slots, what.rows) / gpu.sm_count * what.columns * size;
  const program::Segment tree = segment_of(
      {{program::Pipe::kShuffle, 15}, {program::Pipe::kFma, 40}, {program::Pipe::kOther, 30}}, 900);
  std::get<program::InstructionWork>(kernel.work).segments = {
      norm_sums(gpu, layer, iterations, size, what.state), tree,
      norm_scale(gpu, layer, iterations, first, again, size, what.state, output_hit(gpu, what))};
  return kernel;
}

// Up to 2,048 columns: a row in a warp's registers, unrolled code.
program::Kernel softmax_of_warps(const GpuSpec& gpu, const program::Rowwise& what) {
  constexpr double kRowsOfBlock = 4;
  constexpr double kCodeOfElement = 55;
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double size = bytes_of(what.type);
  const double each =
      std::exp2(std::ceil(std::log2(std::max<double>(what.columns, kThreadsPerWarp)))) /
      kThreadsPerWarp;
  const program::Segment segment =
      segment_of({{program::Pipe::kSfu, 2 * each},
                  {program::Pipe::kFma, 12 * each},
                  {program::Pipe::kAlu, 10 * each},
                  {program::Pipe::kShuffle, 10},
                  {program::Pipe::kOther, 40}},
                 600 + 30 * each,  // with two trees of shuffles
                 {load_batch(each, size, size / 2, what.state.l2_hit),
                  store_batch(each, size, size / 2, output_hit(gpu, what))});
  return short_kernel("softmax_warp", what.rows / kRowsOfBlock, 128, 40, {segment},
                      spec.once_cycles + spec.cold_code_cycles * kCodeOfElement * each);
}

double softmax_threads(double columns) {
  constexpr double kWide = 4096;
  if (columns >= kWide) return 1024;
  return std::max(128.0, std::floor(columns / 4 / kThreadsPerWarp) * kThreadsPerWarp);
}

// More columns: a block of up to 1,024 threads, the row in shared memory where that is aligned and
// within what a kernel gets unasked, else read three times.
program::Kernel softmax_of_blocks(const GpuSpec& gpu, const program::Rowwise& what) {
  constexpr double kCode = 700;
  constexpr double kVector = 16;  // bytes
  constexpr Bytes kUnasked(48 * 1024);
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double threads = softmax_threads(what.columns);
  const double each = std::max(1.0, what.columns * bytes_of(what.type) / kVector / threads);
  const Bytes row(std::llround(what.columns * bytes_of(what.type)));
  if (row > kUnasked || std::fmod(static_cast<double>(row.count()), kVector) != 0) {
    return rows_read_thrice(gpu, "softmax_block", what, output_hit(gpu, what));
  }
  const program::Segment largest = segment_of({{program::Pipe::kAlu, 8 * each},
                                               {program::Pipe::kFma, 8 * each},
                                               {program::Pipe::kOther, 30}},
                                              100, {load_batch(each, 16, 4, what.state.l2_hit)});
  const program::Segment reduce = segment_of({{program::Pipe::kShuffle, 10},
                                              {program::Pipe::kAlu, 10},
                                              {program::Pipe::kOther, 40},
                                              {program::Pipe::kSfu, 4 * each},
                                              {program::Pipe::kFma, 16 * each}},
                                             spec.block_reduce_cycles, {}, 2);
  const program::Segment write = segment_of({{program::Pipe::kSfu, 8 * each},
                                             {program::Pipe::kFma, 16 * each},
                                             {program::Pipe::kAlu, 8 * each},
                                             {program::Pipe::kOther, 20}},
                                            100, {store_batch(each, 16, 4, output_hit(gpu, what))});
  return short_kernel("softmax_block", what.rows, threads, 32, {largest, reduce, write},
                      spec.once_cycles + spec.cold_code_cycles * kCode, row);
}

// Reductions by the frameworks' general kernel: 512 threads, 4 elements a load.
constexpr double kReduceThreads = 512;
constexpr double kReduceElements = 4;
constexpr std::uint32_t kReduceRegisters = 32;
constexpr Bytes kReduceShared{8208};

program::Segment reduce_tree(std::vector<program::MemoryBatch> batches = {}) {
  return segment_of(
      {{program::Pipe::kShuffle, 20}, {program::Pipe::kAlu, 60}, {program::Pipe::kOther, 60}}, 1500,
      std::move(batches));
}

// 4 loads of a thread in flight, then a tree.
program::Kernel argmax_kernel(const GpuSpec& gpu, const program::Rowwise& what) {
  const double iterations = std::max(1.0, what.columns / (kReduceThreads * kReduceElements));
  const program::Segment compare = segment_of(
      {{program::Pipe::kAlu, 72}, {program::Pipe::kOther, 14}, {program::Pipe::kInteger, 8}},
      gpu.operators.rowwise.reduce_chain_cycles, {load_batch(1, 8, 2, what.state.l2_hit)});
  return short_kernel("argmax", what.rows, kReduceThreads, kReduceRegisters,
                      {in_iterations(compare, iterations), reduce_tree()},
                      gpu.operators.rowwise.once_cycles, kReduceShared);
}

program::Kernel rowwise_kernel(const GpuSpec& gpu, const program::Rowwise& what) {
  constexpr double kMostOfWarp = 2048;
  switch (what.what) {
    case program::RowOperator::kLayerNorm:
    case program::RowOperator::kRmsNorm:
      return norm_kernel(gpu, what);
    case program::RowOperator::kSoftmax:
      return what.columns <= kMostOfWarp ? softmax_of_warps(gpu, what)
                                         : softmax_of_blocks(gpu, what);
    case program::RowOperator::kArgmax:
    case program::RowOperator::kLayerNormBackward:
    case program::RowOperator::kRmsNormBackward:
      break;
  }
  return argmax_kernel(gpu, what);
}

// As many blocks of 512 threads as fit, one load of a thread in flight; the last block adds up the
// others' sums.
program::Kernel sum_kernel(const GpuSpec& gpu, const program::SumAll& what) {
  program::Kernel kernel = short_kernel("sum", 1, kReduceThreads, kReduceRegisters, {},
                                        gpu.operators.rowwise.once_cycles, kReduceShared);
  kernel.shape.grid.x = occupancy_of(gpu.sm, kernel.shape).blocks_per_sm * gpu.sm_count;
  const double all_threads = kernel.shape.grid.x * kReduceThreads;
  const program::Segment add =
      segment_of({{program::Pipe::kFma, kReduceElements},
                  {program::Pipe::kAlu, kReduceElements},  // conversions
                  {program::Pipe::kOther, 8}},
                 60, {load_batch(1, 8, 2, what.state.l2_hit)},
                 std::max(1.0, what.elements / (all_threads * kReduceElements)));
  std::get<program::InstructionWork>(kernel.work).segments = {
      add, reduce_tree(), reduce_tree({load_batch(1, 4, 1, 1)})};
  return kernel;
}

}  // namespace

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Rowwise& what,
                          const program::OperatorWork&) {
  if (is_backward(what)) return {norm_backward(gpu, what), "rows, then columns"};
  return {rowwise_kernel(gpu, what)};
}

LibraryKernels kernels_of(const GpuSpec& gpu, const program::SumAll& what,
                          const program::OperatorWork&) {
  return {sum_kernel(gpu, what)};
}

}  // namespace septet::gpu
