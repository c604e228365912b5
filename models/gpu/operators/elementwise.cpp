// Functions of each element, and gathers of rows: kernels in the form that the kernel model times.
// Counts of instructions are those of the frameworks' kernels, per warp.
#include <algorithm>
#include <cmath>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/operand_state.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {
namespace {

constexpr double kThreads = 128;
constexpr double kVectorBytes = 16;  // of one thread's access

// Contiguous operands: 128 threads, each 8 elements of two bytes (4 of four) of every operand.
program::Kernel contiguous_kernel(const GpuSpec& gpu, const program::Elementwise& what) {
  constexpr std::uint32_t kRegisters = 34;
  const double each = what.size() <= 2 ? 8 : 4;
  const double share = std::min(1.0, what.elements / (kThreads * each));  // of lanes with work
  const double loads = what.inputs * what.size() * each / kVectorBytes;
  const double stores = what.outputs * what.output_size() * each / kVectorBytes;
  const double read = what.elements * what.inputs * what.size();
  const double written = what.elements * what.outputs * what.output_size();
  const double sectors = kVectorBytes * share;
  const double half = what.instructions * each / 2;
  const program::Segment segment = segment_of(
      {{program::Pipe::kAlu, half}, {program::Pipe::kFma, half}, {program::Pipe::kOther, 20}},
      60 + 6 * what.instructions,
      {load_batch(std::max(1.0, loads), sectors * std::min(1.0, loads), 4, what.state.l2_hit),
       store_batch(std::max(1.0, stores), sectors * std::min(1.0, stores), 4,
                   write_hit(gpu, what.state, read, written))});
  return short_kernel("elementwise", what.elements / (kThreads * each), kThreads, kRegisters,
                      {segment}, gpu.operators.rowwise.once_cycles);
}

// Others: 4 elements a thread, one at a time with index arithmetic.
program::Kernel strided_kernel(const GpuSpec& gpu, const program::Elementwise& what) {
  constexpr std::uint32_t kRegisters = 18;
  constexpr double kEach = 4;
  constexpr double kCode = 200;  // instructions of straight code
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double size = what.size();
  const double operands = 1 + what.inputs;
  const double read = what.elements * what.inputs * size;
  const double written = what.elements * size;
  const program::Segment segment =
      segment_of({{program::Pipe::kInteger, kEach * 6 * operands},
                  {program::Pipe::kAlu, kEach * (12 * operands + what.instructions / 2)},
                  {program::Pipe::kFma, kEach * what.instructions / 2},
                  {program::Pipe::kOther, 40}},
                 spec.index_chain_cycles,
                 {load_batch(kEach * what.inputs, size, size / 4, what.state.l2_hit),
                  store_batch(kEach, size, size / 4, write_hit(gpu, what.state, read, written))});
  return short_kernel("strided", what.elements / (kThreads * kEach), kThreads, kRegisters,
                      {segment}, spec.once_cycles + spec.cold_code_cycles * kCode);
}

// Rows of a table by index (embedding): the index, then 16 bytes a thread.
program::Kernel gather_kernel(const GpuSpec& gpu, const program::Gather& what) {
  constexpr std::uint32_t kRegisters = 32;
  const double vectors = what.columns * bytes_of(what.type) / kVectorBytes;
  const double threads = std::floor(std::clamp(vectors, 32.0, 1024.0));
  const program::Segment index =
      segment_of({{program::Pipe::kOther, 10}}, 80, {load_batch(1, 1, 1, 0)});
  const program::Segment copy =
      segment_of({{program::Pipe::kAlu, 12}, {program::Pipe::kOther, 8}}, 60,
                 {load_batch(1, 16, 4, what.state.l2_hit),
                  store_batch(1, 16, 4, what.state.output_stays ? 1.0 : 0.0)},
                 std::max(1.0, vectors / threads));
  return short_kernel("gather", what.rows, threads, kRegisters, {index, copy},
                      gpu.operators.rowwise.once_cycles);
}

}  // namespace

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Elementwise& what,
                          const program::OperatorWork&) {
  return {what.strided ? strided_kernel(gpu, what) : contiguous_kernel(gpu, what)};
}

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Gather& what,
                          const program::OperatorWork&) {
  return {gather_kernel(gpu, what)};
}

}  // namespace septet::gpu
