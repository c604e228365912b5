// A step of fused AdamW: kernels of at most 320 blocks and 36 tensors, each block with 65,536
// elements of one tensor, and before them one that counts the step of 110 tensors at a time.
#include <algorithm>
#include <cmath>

#include "models/gpu/operators/library_kernels.hpp"
#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {
namespace {

constexpr double kChunk = 65536;

program::Kernel chunks_kernel(const GpuSpec& gpu, const program::AdamW& what, double blocks) {
  constexpr double kThreads = 512;
  constexpr double kEach = 4;
  const double size = bytes_of(what.type);
  const double elements = std::min(kChunk, what.elements_each);
  const program::Segment turn =
      segment_of({{program::Pipe::kFma, 20 * kEach},
                  {program::Pipe::kSfu, 3 * kEach},
                  {program::Pipe::kAlu, 30 * kEach},
                  {program::Pipe::kOther, 10 * kEach}},
                 500, {load_batch(4, 4 * size, size, 0), store_batch(3, 4 * size, size, 0)},
                 std::max(1.0, elements / kThreads / kEach));
  return short_kernel("adamw", blocks, kThreads, 61, {turn}, gpu.operators.rowwise.once_cycles);
}

}  // namespace

LibraryKernels kernels_of(const GpuSpec& gpu, const program::AdamW& what,
                          const program::OperatorWork&) {
  constexpr double kBlocks = 320;
  constexpr double kTensors = 36;
  constexpr double kCounted = 110;
  const double chunks = what.tensors * std::ceil(what.elements_each / kChunk);
  const double most = std::min(kBlocks, kTensors * std::ceil(what.elements_each / kChunk));
  const double whole = std::floor(chunks / most);
  const double rest = chunks - whole * most;
  OperatorTime out =
      described_time(gpu, chunks_kernel(gpu, what, std::max(1.0, std::min(most, chunks))));
  const double launches = std::max(1.0, whole);
  out.time = scale(out.time, launches) + scale(gpu.front_end.stream_gap, launches - 1);
  const double all = chunks / std::max(1.0, std::min(most, chunks));
  out.activity = {.dram_bytes = operand_bytes(what),
                  .l2_bytes = out.activity.l2_bytes * all,
                  .instructions = out.activity.instructions * all};
  if (whole >= 1 && rest > 0) {
    out.time += gpu.front_end.stream_gap + described_time(gpu, chunks_kernel(gpu, what, rest)).time;
  }
  const double counted = std::ceil(what.tensors / kCounted);
  out.time += scale(gpu.front_end.stream_gap + gpu.operators.call.helper_kernel, counted);
  return {out, "chunks of 65,536 elements"};
}

}  // namespace septet::gpu
