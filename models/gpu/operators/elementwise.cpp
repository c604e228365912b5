// Functions of each element, and gathers of rows: kernels in the form that the kernel model times.
// Counts of instructions are those of the frameworks' kernels, per warp.
#include <algorithm>
#include <cmath>

#include "models/gpu/kernel/memory.hpp"
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
  const double stores = (what.outputs * what.output_size() + what.mask_bytes) * each / kVectorBytes;
  const double read = what.elements * what.inputs * what.size();
  const double written = written_bytes(what);
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

// Elements one by one, 4 of a thread: loads and stores look up the type at run time.
program::Kernel converting_kernel(const GpuSpec& gpu, const program::Elementwise& what) {
  constexpr double kEach = 4;
  constexpr double kLookUp = 64;  // instructions of an element, of the switch over types
  const double size = what.size();
  const double out = what.output_size();
  const double hit =
      write_hit(gpu, what.state, what.elements * what.inputs * size, written_bytes(what));
  const program::Segment segment =
      segment_of({{program::Pipe::kAlu, kEach * (kLookUp + what.instructions) / 2},
                  {program::Pipe::kOther, kEach * kLookUp / 2},
                  {program::Pipe::kBranch, kEach * 4}},
                 kEach * gpu.kernel.issue.indirect_branch_cycles,
                 {load_batch(kEach * what.inputs, size, size / 4, what.state.l2_hit),
                  store_batch(kEach, out, out / 4, hit)});
  return short_kernel("converting", what.elements / (kThreads * kEach), kThreads, 32, {segment},
                      gpu.operators.rowwise.once_cycles);
}

// Rows of a table by index (embedding): the index, then 16 bytes a thread.
program::Kernel gather_kernel(const GpuSpec& gpu, const program::Gather& what) {
  constexpr std::uint32_t kRegisters = 32;
  constexpr double kLately = 0.3;
  const double written = what.rows * what.columns * bytes_of(what.type);
  const double stays = what.state.l2_dirty       ? write_hit(gpu, what.state, written, written)
                       : what.state.output_stays ? 1.0
                                                 : 0.0;
  const double vectors = what.columns * bytes_of(what.type) / kVectorBytes;
  const double threads = std::floor(std::clamp(vectors, 32.0, 1024.0));
  // Rows that come up again may still be in the L2 cache.
  const double fresh = what.of > 0 ? what.of / what.rows * (1 - std::exp(-what.rows / what.of)) : 1;
  const double kept = l2_hit_rate(gpu.kernel.memory, operand_bytes(what));
  const double again = (1 - std::min(1.0, fresh)) * std::max(kept, kLately);
  const double hit = what.state.l2_hit + (1 - what.state.l2_hit) * again;
  const program::Segment index =
      segment_of({{program::Pipe::kOther, 10}}, 80, {load_batch(1, 1, 1, 0)});
  const program::Segment copy = segment_of(
      {{program::Pipe::kAlu, 12}, {program::Pipe::kOther, 8}}, 60,
      {load_batch(1, 16, 4, hit), store_batch(1, 16, 4, stays)}, std::max(1.0, vectors / threads));
  return short_kernel("gather", what.rows, threads, kRegisters, {index, copy},
                      gpu.operators.rowwise.once_cycles);
}

// The table cleared, rows gathered, and added by atomics, an element each.
OperatorTime scatter_time(const GpuSpec& gpu, const program::Gather& what) {
  const program::Gather rows{.rows = what.rows,
                             .columns = what.columns,
                             .of = what.of,
                             .type = what.type,
                             .state = what.state};
  const double elements = what.rows * what.columns;
  OperatorTime add = described_time(gpu, gather_kernel(gpu, rows));
  add.time = gpu.kernel.block.ramp +
             std::max(add.time, from_seconds(elements / gpu.operators.rowwise.atomics_per_second));
  add.limiter = Bottleneck::kL2;
  return one_after_another(gpu, {clear_time(gpu, written_bytes(what)),
                                 described_time(gpu, gather_kernel(gpu, rows)), add});
}

}  // namespace

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Elementwise& what,
                          const program::OperatorWork&) {
  switch (what.access) {
    case program::Access::kVectors:
      return {contiguous_kernel(gpu, what)};
    case program::Access::kConverting:
      return {converting_kernel(gpu, what)};
    case program::Access::kStrided:
      break;
  }
  return {strided_kernel(gpu, what)};
}

LibraryKernels kernels_of(const GpuSpec& gpu, const program::Gather& what,
                          const program::OperatorWork&) {
  if (what.add) return {scatter_time(gpu, what), "zeros, rows gathered, rows added"};
  return {gather_kernel(gpu, what)};
}

}  // namespace septet::gpu
