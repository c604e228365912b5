#include "models/gpu/operators/rowwise.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/occupancy/occupancy.hpp"
#include "models/gpu/operators/rowwise_kernel.hpp"

namespace septet {
namespace {

constexpr double kSize = 2;  // bytes of an element

// `turns` on average over the warps: where the row ends within a turn, some warps go through one
// more than others, for which the block waits. So latencies count whole turns, work the average.
Segment in_turns(Segment segment, double turns) {
  segment.repeat = std::ceil(turns);
  const double share = turns / segment.repeat;
  for (double& count : segment.instructions) count *= share;
  for (MemoryBatch& batch : segment.batches) batch.requests *= share;
  return segment;
}

Segment norm_sums(const GpuSpec& gpu, bool layer, double turns, const OperandState& state) {
  constexpr double kSquares = 0.15;  // a sum of squares against a Welford update
  Segment out;
  out[Pipe::kFma] = layer ? 30 : 16;
  out[Pipe::kAlu] = 14;
  out[Pipe::kSpecial] = layer ? 4 : 0;
  out[Pipe::kOther] = 10;
  out.chain_cycles = gpu.operators.rowwise.norm_chain_cycles * (layer ? 1.0 : kSquares) + 60;
  out.batches = {load_batch(1, 8, 2, state.l2_hit)};
  return in_turns(out, turns);
}

Segment norm_tree() {
  Segment out;
  out[Pipe::kShuffle] = 15;
  out[Pipe::kFma] = 40;
  out[Pipe::kOther] = 30;
  out.chain_cycles = 900;
  return out;
}

// `first`: share of the rows that find the weights cold.
Segment norm_scale(bool layer, double turns, double first, const OperandState& state,
                   double output_hit) {
  constexpr double kInL1 = 0.7;  // of what an earlier block brought
  Segment out;
  out[Pipe::kFma] = 12;
  out[Pipe::kAlu] = 16;
  out[Pipe::kOther] = 12;
  out.chain_cycles = 90;
  const double warm = state.weights_cold ? 0.0 : state.l2_hit;
  MemoryBatch weights = load_batch(layer ? 2 : 1, 8, 2, std::max(warm, 1.0 - first));
  weights.l1_hit = (1.0 - first) * kInL1;
  out.batches = {weights, store_batch(1, 8, 2, output_hit)};
  return in_turns(out, turns);
}

// A row in a warp's registers, unrolled code.
Kernel softmax_of_warps(const GpuSpec& gpu, double rows, double columns, const OperandState& state,
                        double output_hit) {
  constexpr double kRowsOfBlock = 4;
  constexpr double kCodeOfElement = 55;
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double each = std::exp2(std::ceil(std::log2(columns))) / kThreadsPerWarp;
  Segment segment;
  segment[Pipe::kSpecial] = 2 * each;
  segment[Pipe::kFma] = 12 * each;
  segment[Pipe::kAlu] = 10 * each;
  segment[Pipe::kShuffle] = 10;
  segment[Pipe::kOther] = 40;
  segment.chain_cycles = 600 + 30 * each;  // with two trees of shuffles
  segment.batches = {load_batch(each * kSize / 2, 2, 1, state.l2_hit),
                     store_batch(each * kSize / 2, 2, 1, output_hit)};
  return rowwise_kernel("softmax_warp", rows / kRowsOfBlock, 128, 40, {segment},
                        spec.once_cycles + spec.cold_code_cycles * kCodeOfElement * each);
}

double softmax_threads(double columns) {
  constexpr double kWide = 4096;
  if (columns >= kWide) return 1024;
  return std::max(128.0, std::floor(columns / 4 / kThreadsPerWarp) * kThreadsPerWarp);
}

Kernel softmax_of_blocks(const GpuSpec& gpu, double rows, double columns, const OperandState& state,
                         double output_hit) {
  constexpr double kCode = 700;
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double threads = softmax_threads(columns);
  const double each = std::max(1.0, columns * kSize / 16 / threads);
  Segment largest;
  largest[Pipe::kAlu] = 8 * each;
  largest[Pipe::kFma] = 8 * each;
  largest[Pipe::kOther] = 30;
  largest.chain_cycles = 100;
  largest.batches = {load_batch(each, 16, 4, state.l2_hit)};
  Segment reduce;
  reduce.repeat = 2;
  reduce[Pipe::kShuffle] = 10;
  reduce[Pipe::kAlu] = 10;
  reduce[Pipe::kOther] = 40;
  reduce[Pipe::kSpecial] = 4 * each;
  reduce[Pipe::kFma] = 16 * each;
  reduce.chain_cycles = spec.block_reduce_cycles;
  Segment write;
  write[Pipe::kSpecial] = 8 * each;
  write[Pipe::kFma] = 16 * each;
  write[Pipe::kAlu] = 8 * each;
  write[Pipe::kOther] = 20;
  write.chain_cycles = 100;
  write.batches = {store_batch(each, 16, 4, output_hit)};
  Bytes kept(std::llround(columns * kSize));  // in shared memory
  if (kept > gpu.sm.shared_per_block_max) {
    kept = Bytes(0);  // the row is read again, out of L2
    reduce.batches = {load_batch(each / reduce.repeat, 16, 4, 1)};
    write.batches.insert(write.batches.begin(), load_batch(each, 16, 4, 1));
  }
  return rowwise_kernel("softmax_block", rows, threads, 32, {largest, reduce, write},
                        spec.once_cycles + spec.cold_code_cycles * kCode, kept);
}

// Reductions by the frameworks' general kernel: 512 threads, 4 elements a load.
constexpr double kReduceThreads = 512;
constexpr double kReduceElements = 4;
constexpr std::uint32_t kReduceRegisters = 32;
constexpr Bytes kReduceShared{8208};

Segment reduce_tree() {
  Segment out;
  out[Pipe::kShuffle] = 20;
  out[Pipe::kAlu] = 60;
  out[Pipe::kOther] = 60;
  out.chain_cycles = 1500;
  return out;
}

}  // namespace

Kernel norm_kernel(const GpuSpec& gpu, Norm norm, double rows, double columns,
                   const OperandState& state) {
  constexpr double kElementsOfTurn = 512;
  constexpr Bytes kShared{24};
  const bool layer = norm == Norm::kLayer;
  const double turns = std::max(1.0, columns / kElementsOfTurn);
  const double bytes = rows * columns * kSize;
  Kernel kernel =
      rowwise_kernel("norm", rows, 128, 27, {}, gpu.operators.rowwise.once_cycles, kShared);
  const double slots =
      static_cast<double>(occupancy_of(gpu.sm, kernel.shape).blocks_per_sm) * gpu.sm_count;
  const double first = std::clamp(slots, 1.0, rows) / rows;
  std::get<InstructionWork>(kernel.work).segments = {
      norm_sums(gpu, layer, turns, state), norm_tree(),
      norm_scale(layer, turns, first, state, write_hit(gpu, state, bytes, bytes))};
  return kernel;
}

Kernel softmax_kernel(const GpuSpec& gpu, double rows, double columns, const OperandState& state) {
  constexpr double kMostOfWarp = 1024;
  const double bytes = rows * columns * kSize;
  const double output_hit = write_hit(gpu, state, bytes, bytes);
  return columns <= kMostOfWarp ? softmax_of_warps(gpu, rows, columns, state, output_hit)
                                : softmax_of_blocks(gpu, rows, columns, state, output_hit);
}

Kernel argmax_kernel(const GpuSpec& gpu, double rows, double columns, const OperandState& state) {
  const double turns = std::max(1.0, columns / (kReduceThreads * kReduceElements));
  Segment compare;
  compare[Pipe::kAlu] = 72;
  compare[Pipe::kOther] = 14;
  compare[Pipe::kInteger] = 8;
  compare.chain_cycles = gpu.operators.rowwise.reduce_chain_cycles;
  compare.batches = {load_batch(1, 8, 2, state.l2_hit)};
  return rowwise_kernel("argmax", rows, kReduceThreads, kReduceRegisters,
                        {in_turns(compare, turns), reduce_tree()},
                        gpu.operators.rowwise.once_cycles, kReduceShared);
}

Kernel sum_kernel(const GpuSpec& gpu, double elements, const OperandState& state) {
  Kernel kernel = rowwise_kernel("sum", 1, kReduceThreads, kReduceRegisters, {},
                                 gpu.operators.rowwise.once_cycles, kReduceShared);
  kernel.shape.grid.x = occupancy_of(gpu.sm, kernel.shape).blocks_per_sm * gpu.sm_count;
  Segment add;
  add.repeat = std::max(1.0, elements / (kernel.shape.grid.x * kReduceThreads * kReduceElements));
  add[Pipe::kFma] = kReduceElements;
  add[Pipe::kAlu] = kReduceElements;  // conversions
  add[Pipe::kOther] = 8;
  add.chain_cycles = 60;
  add.batches = {load_batch(1, 8, 2, state.l2_hit)};
  Segment last = reduce_tree();
  last.batches = {load_batch(1, 4, 1, 1)};
  std::get<InstructionWork>(kernel.work).segments = {add, reduce_tree(), last};
  return kernel;
}

}  // namespace septet
