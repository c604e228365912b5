#include "models/gpu/operators/serving.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/operators/short_kernel.hpp"

namespace septet::gpu {
namespace {

constexpr double kSize = 2;  // bytes of an activation

// A block a row of 256 threads, 16 elements each in two loads.
constexpr double kThreads = 256;
constexpr double kElementsPerIteration = 4096;

program::MemoryBatch row_load(double columns, double l2_hit) {
  return load_batch(2, 16 * std::min(1.0, columns / kElementsPerIteration), 4, l2_hit);
}

program::Kernel largest_kernel(double rows, double columns, double l2_hit) {
  const program::Segment scan = segment_of(
      {{program::Pipe::kFma, 24}, {program::Pipe::kAlu, 24}, {program::Pipe::kOther, 10}}, 120,
      {row_load(columns, l2_hit)}, std::max(1.0, columns / kElementsPerIteration));
  const program::Segment tree = segment_of(
      {{program::Pipe::kShuffle, 5}, {program::Pipe::kAlu, 20}, {program::Pipe::kOther, 30}}, 500);
  return short_kernel("largest", rows, kThreads, 32, {scan, tree}, 0);
}

program::Kernel convert_kernel(double rows, double columns, double l2_hit) {
  const program::Segment scale =
      segment_of({{program::Pipe::kOther, 10}}, 60, {load_batch(1, 1, 1, 1)});
  const double sectors = 16 * std::min(1.0, columns / kElementsPerIteration);
  const program::Segment convert = segment_of(
      {{program::Pipe::kFma, 32}, {program::Pipe::kAlu, 24}, {program::Pipe::kOther, 10}}, 150,
      {row_load(columns, l2_hit), store_batch(1, sectors, 4, l2_hit)},
      std::max(1.0, columns / kElementsPerIteration));
  return short_kernel("convert", rows, kThreads, 32, {scale, convert}, 0);
}

Duration quantize_time(const GpuSpec& gpu, const program::Gemm& gemm) {
  constexpr double kBytes = 3;    // of an activation: two read, one written
  constexpr double kStays = 0.5;  // of the L2 cache: activations up to this share stay in it
  const auto l2 = static_cast<double>(gpu.kernel.memory.l2_capacity.count());
  const double hit = gemm.m * gemm.k * kBytes > kStays * l2 ? gemm.state.l2_hit : 1.0;
  const Duration atomics = scale(gpu.operators.gemm.atomic_interval, gemm.m);
  const Duration largest = described_time(gpu, largest_kernel(gemm.m, gemm.k, hit)).time;
  const Duration convert = described_time(gpu, convert_kernel(gemm.m, gemm.k, hit)).time;
  return std::max(largest, atomics) + convert + 2 * gpu.operators.call.node_gap;
}

// The tile that CUTLASS's fp8 kernels are built with, by rows.
GemmChoice fp8_choice(double m) {
  GemmChoice out;
  out.may_split = false;
  out.tiles_in_a_row = 2;
  out.tile = m <= 16    ? Tile{16, 64}
             : m <= 64  ? Tile{64, 64}
             : m <= 128 ? Tile{64, 128}
                        : Tile{128, 128};
  return out;
}

// Keys and values of new tokens: a block a token, its place first, then an element a thread.
program::Kernel cache_write_kernel(const GpuSpec& gpu, const program::Attention& a) {
  const auto width = static_cast<double>(a.kv_heads * a.dim);
  const double threads = std::clamp(width, 32.0, 512.0);
  const program::Segment place = segment_of(
      {{program::Pipe::kAlu, 20}, {program::Pipe::kOther, 20}}, 120, {load_batch(1, 1, 1, 1)});
  const program::Segment copy = segment_of(
      {{program::Pipe::kAlu, 12}, {program::Pipe::kInteger, 6}, {program::Pipe::kOther, 6}}, 80,
      {load_batch(2, kSize, 1, a.state.l2_hit),
       store_batch(2, kSize, 1, a.state.output_stays ? 1.0 : 0.0)},
      std::max(1.0, width / threads));
  return short_kernel("cache_write", static_cast<double>(a.batch * a.queries), threads, 32,
                      {place, copy}, gpu.operators.rowwise.once_cycles);
}

}  // namespace

OperatorTime serving_gemm(const GpuSpec& gpu, const program::Gemm& gemm,
                          const program::LoadHistory& history) {
  if (gemm.type != program::DataType::kFp8) return gemm_time(gpu, gemm, {}, history);
  OperatorTime out = gemm_time(gpu, gemm, fp8_choice(gemm.m), history);
  out.time += quantize_time(gpu, gemm);
  return out;
}

OperatorTime serving_prefill(const GpuSpec& gpu, const program::Attention& attention,
                             const program::LoadHistory& history) {
  const CallSpec& call = gpu.operators.call;
  const bool one_query = attention.queries == 1;
  OperatorTime out =
      one_query ? flash3_decode(gpu, attention) : flash3_prefill(gpu, attention, history);
  out.time += call.helper_kernel + 2 * call.node_gap +
              described_time(gpu, cache_write_kernel(gpu, attention)).time;
  if (!one_query) out.time += gpu.operators.flash3.schedule;
  return out;
}

OperatorTime serving_decode(const GpuSpec& gpu, const program::Attention& attention) {
  const CallSpec& call = gpu.operators.call;
  OperatorTime out = flash3_decode(gpu, attention);
  out.time += 2 * call.helper_kernel + 2 * call.node_gap;
  return out;
}

}  // namespace septet::gpu
