// Cross entropy as PyTorch computes it: the logarithm of the softmax, a kernel a row, and one block
// that picks the classes' values and adds them up; backward zeros, the classes' gradients by one
// block, and the gradient of the softmax.
#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/memory.hpp"
#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {
namespace {

// One block, 16 rows of a thread, at most 1,024 threads: the class, then its element.
program::Kernel pick_kernel(const GpuSpec& gpu, const program::Loss& what) {
  const double threads =
      std::clamp(std::exp2(std::floor(std::log2(std::max(1.0, what.rows / 16)))), 32.0, 1024.0);
  program::MemoryBatch element = load_batch(1, 32, 32, 0);
  element.footprint_bytes = written_bytes(what);
  element.streaming = false;
  const program::Segment pick =
      segment_of({{program::Pipe::kAlu, 20}, {program::Pipe::kOther, 20}}, 200,
                 {load_batch(1, 8, 2, 0), element}, std::max(1.0, what.rows / threads));
  return short_kernel("class", 1, threads, 32, {pick}, gpu.operators.rowwise.once_cycles);
}

// The gradient of the output twice, its output, and the result: a block of 512 threads a row.
program::Kernel softmax_gradient(const GpuSpec& gpu, const program::Loss& what) {
  constexpr double kThreads = 512;
  constexpr double kVector = 16;
  const double row = what.columns * bytes_of(what.type);
  const double elements = kVector / bytes_of(what.type);
  const double turns = std::max(1.0, row / kVector / kThreads);
  program::Kernel kernel = short_kernel("softmax_gradient", what.rows, kThreads, 56, {},
                                        gpu.operators.rowwise.once_cycles);
  const double kept = l2_hit_rate(gpu.kernel.memory, resident_blocks(gpu, kernel, what.rows) * row);
  const double hit = write_hit(gpu, what.state, 2 * written_bytes(what), written_bytes(what));
  const program::Segment sum =
      segment_of({{program::Pipe::kFma, 2 * elements}, {program::Pipe::kOther, 12}}, 100,
                 {load_batch(1, 16, 4, what.state.l2_hit)}, turns);
  const program::Segment tree = segment_of(
      {{program::Pipe::kShuffle, 10}, {program::Pipe::kAlu, 10}, {program::Pipe::kOther, 40}},
      gpu.operators.rowwise.block_reduce_cycles);
  const program::Segment write =
      segment_of({{program::Pipe::kSfu, elements},
                  {program::Pipe::kFma, 4 * elements},
                  {program::Pipe::kOther, 16}},
                 120,
                 {load_batch(1, 16, 4, kept), load_batch(1, 16, 4, what.state.l2_hit),
                  store_batch(1, 16, 4, hit)},
                 turns);
  std::get<program::InstructionWork>(kernel.work).segments = {sum, tree, write};
  return kernel;
}

OperatorTime loss_time(const GpuSpec& gpu, const program::Loss& what) {
  const OperatorTime pick = described_time(gpu, pick_kernel(gpu, what));
  if (what.backward) {
    return one_after_another(gpu, {clear_time(gpu, written_bytes(what)), pick,
                                   described_time(gpu, softmax_gradient(gpu, what))});
  }
  const program::Rowwise rows{
      .rows = what.rows, .columns = what.columns, .type = what.type, .state = what.state};
  const double hit = write_hit(gpu, what.state, written_bytes(what), written_bytes(what));
  return one_after_another(
      gpu, {described_time(gpu, rows_read_thrice(gpu, "log_softmax", rows, hit)), pick});
}

}  // namespace

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Loss& what,
                          const program::OperatorWork&) {
  return {loss_time(gpu, what), what.backward ? "zeros, classes, softmax" : "softmax, classes"};
}

}  // namespace septet::gpu
