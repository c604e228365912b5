#include "models/gpu/operators/norm_backward.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {
namespace {

double matrix_bytes(const program::Rowwise& what) {
  return what.rows * what.columns * bytes_of(what.type);
}

// Input and gradient of the output twice, 4 elements of a thread at a time.
program::Kernel input_gradient(const GpuSpec& gpu, const program::Rowwise& what) {
  constexpr double kThreads = 128;
  constexpr double kElementsOfTurn = 512;
  const double size = bytes_of(what.type);
  const double turns = std::max(1.0, what.columns / kElementsOfTurn);
  program::Kernel kernel =
      short_kernel("norm_gradient", what.rows, kThreads, 32, {}, gpu.operators.rowwise.once_cycles);
  const double rows_of_sm = resident_blocks(gpu, kernel, what.rows) / gpu.sm_count;
  const double kept = l1_hit_rate(gpu.kernel.memory, 2 * rows_of_sm * what.columns * size);
  const program::Segment sums = segment_of(
      {{program::Pipe::kFma, 24}, {program::Pipe::kAlu, 24}, {program::Pipe::kOther, 12}}, 80,
      {load_batch(2, 4 * size, size, what.state.l2_hit), load_batch(1, 4 * size, size, 1)}, turns);
  const program::Segment tree = segment_of(
      {{program::Pipe::kShuffle, 20}, {program::Pipe::kFma, 20}, {program::Pipe::kOther, 30}}, 900);
  program::MemoryBatch again = load_batch(3, 4 * size, size, 1);
  again.l1_hit = kept;
  again.l2_hit =
      l2_hit_rate(gpu.kernel.memory, 2 * rows_of_sm * gpu.sm_count * what.columns * size);
  const double hit = write_hit(gpu, what.state, 2 * matrix_bytes(what), matrix_bytes(what));
  const program::Segment write = segment_of(
      {{program::Pipe::kFma, 24}, {program::Pipe::kAlu, 24}, {program::Pipe::kOther, 12}}, 80,
      {again, store_batch(1, 4 * size, size, hit)}, turns);
  std::get<program::InstructionWork>(kernel.work).segments = {sums, tree, write};
  return kernel;
}

// Both again: 8 rows of a warp at a time, 64 bytes of each where elements have two.
program::Kernel weight_gradient(const GpuSpec& gpu, const program::Rowwise& what) {
  constexpr double kColumns = 32;
  constexpr double kRowsOfTurn = 256;
  constexpr double kEach = 8;
  const double size = bytes_of(what.type);
  const double hit = l2_hit_rate(gpu.kernel.memory, 3 * matrix_bytes(what));
  const double turns = std::max(1.0, what.rows / kRowsOfTurn);
  const program::Segment turn =
      segment_of({{program::Pipe::kFma, 4 * kEach},
                  {program::Pipe::kAlu, 8 * kEach},
                  {program::Pipe::kOther, 6 * kEach}},
                 300, {load_batch(2 * kEach, size, size / 4, hit)}, turns);
  const program::Segment tree = segment_of(
      {{program::Pipe::kShuffle, 10}, {program::Pipe::kFma, 10}, {program::Pipe::kOther, 40}},
      1500);
  return short_kernel("weight_gradient", what.columns / kColumns, 1024, 32, {turn, tree},
                      gpu.operators.rowwise.once_cycles);
}

}  // namespace

OperatorTime norm_backward(const GpuSpec& gpu, const program::Rowwise& what) {
  return one_after_another(gpu, {described_time(gpu, input_gradient(gpu, what)),
                                 described_time(gpu, weight_gradient(gpu, what))});
}

}  // namespace septet::gpu
