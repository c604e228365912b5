#include "models/gpu/operators/elementwise.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/operators/rowwise_kernel.hpp"

namespace septet {
namespace {

constexpr double kThreads = 128;
constexpr double kVectorBytes = 16;  // of one thread's access

}  // namespace

Kernel elementwise_kernel(const GpuSpec& gpu, const Elementwise& what, const OperandState& state) {
  constexpr std::uint32_t kRegisters = 34;
  const double each = what.size <= 2 ? 8 : 4;
  const double share = std::min(1.0, what.elements / (kThreads * each));  // of lanes with work
  const double loads = what.inputs * what.size * each / kVectorBytes;
  const double stores = what.outputs * what.output_size * each / kVectorBytes;
  const double read = what.elements * what.inputs * what.size;
  const double written = what.elements * what.outputs * what.output_size;
  Segment segment;
  segment[Pipe::kAlu] = what.instructions * each / 2;
  segment[Pipe::kFma] = what.instructions * each / 2;
  segment[Pipe::kOther] = 20;
  segment.chain_cycles = 60 + 6 * what.instructions;
  const double sectors = kVectorBytes * share;
  segment.batches = {
      load_batch(std::max(1.0, loads), sectors * std::min(1.0, loads), 4, state.l2_hit),
      store_batch(std::max(1.0, stores), sectors * std::min(1.0, stores), 4,
                  write_hit(gpu, state, read, written))};
  return rowwise_kernel("elementwise", what.elements / (kThreads * each), kThreads, kRegisters,
                        {segment}, gpu.operators.rowwise.once_cycles);
}

Kernel strided_kernel(const GpuSpec& gpu, const Elementwise& what, const OperandState& state) {
  constexpr std::uint32_t kRegisters = 18;
  constexpr double kEach = 4;
  constexpr double kCode = 200;  // instructions of straight code
  const RowwiseSpec& spec = gpu.operators.rowwise;
  const double operands = 1 + what.inputs;
  const double read = what.elements * what.inputs * what.size;
  const double written = what.elements * what.size;
  Segment segment;
  segment[Pipe::kInteger] = kEach * 6 * operands;
  segment[Pipe::kAlu] = kEach * (12 * operands + what.instructions / 2);
  segment[Pipe::kFma] = kEach * what.instructions / 2;
  segment[Pipe::kOther] = 40;
  segment.chain_cycles = spec.index_chain_cycles;
  segment.batches = {
      load_batch(kEach * what.inputs, what.size, what.size / 4, state.l2_hit),
      store_batch(kEach, what.size, what.size / 4, write_hit(gpu, state, read, written))};
  return rowwise_kernel("strided", what.elements / (kThreads * kEach), kThreads, kRegisters,
                        {segment}, spec.once_cycles + spec.cold_code_cycles * kCode);
}

Kernel gather_kernel(const GpuSpec& gpu, double rows, double columns, double size,
                     const OperandState& state) {
  constexpr std::uint32_t kRegisters = 32;
  const double vectors = columns * size / kVectorBytes;
  const double threads = std::floor(std::clamp(vectors, 32.0, 1024.0));
  Segment index;
  index[Pipe::kOther] = 10;
  index.chain_cycles = 80;
  index.batches = {load_batch(1, 1, 1, 0)};
  Segment copy;
  copy.repeat = std::max(1.0, vectors / threads);
  copy[Pipe::kAlu] = 12;
  copy[Pipe::kOther] = 8;
  copy.chain_cycles = 60;
  copy.batches = {load_batch(1, 16, 4, state.l2_hit),
                  store_batch(1, 16, 4, state.output_stays ? 1.0 : 0.0)};
  return rowwise_kernel("gather", rows, threads, kRegisters, {index, copy},
                        gpu.operators.rowwise.once_cycles);
}

}  // namespace septet
