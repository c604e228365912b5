// cuDNN's attention kernels: flash prefill by persistent blocks, decode by blocks of 128 threads.
#include <algorithm>
#include <cmath>
#include <vector>

#include "models/gpu/occupancy/occupancy.hpp"
#include "models/gpu/operators/flash.hpp"

namespace septet::gpu {
namespace {

constexpr FlashTile kPrefillTile{128, 128};
constexpr double kDecodeRows = 16;
constexpr double kDecodeKeys = 128;

FlashPath prefill_path(const GpuSpec& gpu, const program::Attention& a) {
  const CudnnSpec& spec = gpu.operators.cudnn;
  const std::vector<double> rows = steps_by_row(a, kPrefillTile);
  const std::uint64_t heads = a.batch * a.heads;
  FlashPath path;
  path.tile = kPrefillTile;
  path.softmax_per_cycle = spec.softmax_per_cycle;
  path.tile_cycles = spec.tile_cycles + (a.causal ? spec.mask_cycles : 0.0);
  path.start_cycles = spec.start_cycles;
  path.all_tiles = static_cast<double>(heads * rows.size());
  for (const double steps : rows) path.all_steps += static_cast<double>(heads) * steps;
  for (std::uint64_t tile = 0; tile < heads * rows.size(); tile += gpu.sm_count) {
    path.steps += rows[rows.size() - 1 - tile / heads];
    path.tiles += 1;
  }
  return path;
}

program::LaunchShape decode_shape(const program::Attention& a) {
  constexpr std::uint32_t kThreads = 128;
  constexpr std::uint64_t kQueryRows = 32;
  constexpr std::uint64_t kScratch = 8192;
  const auto size = static_cast<std::uint64_t>(bytes_of(a.type));
  const std::uint64_t rows = 2 * static_cast<std::uint64_t>(kDecodeKeys) + kQueryRows;
  program::LaunchShape shape;
  shape.block.x = kThreads;
  shape.registers_per_thread = a.dim <= 64 ? 120 : 183;
  shape.dynamic_shared = Bytes(static_cast<std::int64_t>(rows * a.dim * size + kScratch));
  return shape;
}

// What a decode kernel has to do, whatever its splits.
struct DecodeWork {
  double tiles = 0;       // of query rows
  double key_blocks = 0;  // of one tile
  double dram_bytes = 0;
  double slots = 0;  // blocks on the GPU at once
};

DecodeWork decode_work(const GpuSpec& gpu, const program::Attention& a) {
  const double rows = heads_per_group(a) * static_cast<double>(a.queries);
  DecodeWork work;
  work.tiles = static_cast<double>(a.batch * a.kv_heads) * divide_up(rows, kDecodeRows);
  work.key_blocks = divide_up(keys_seen(a), kDecodeKeys);
  const double read = key_value_bytes(a) * (1.0 - a.state.l2_hit);
  work.dram_bytes = read + (a.state.l2_dirty ? cold_writes(gpu, read, 0) : 0.0);
  work.slots =
      static_cast<double>(occupancy_of(gpu.sm, decode_shape(a)).blocks_per_sm) * gpu.sm_count;
  return work;
}

// Cycles of `active` blocks that do `steps` steps each.
double wave_cycles(const GpuSpec& gpu, const program::Attention& a, const DecodeWork& work,
                   double active, double steps) {
  const CudnnSpec& spec = gpu.operators.cudnn;
  const PipelineSpec& pipeline = gpu.operators.pipeline;
  const double bytes = step_bytes(a, kDecodeKeys);
  const double alone = spec.decode_step_cycles + bytes / spec.decode_copy_bytes;
  const double products = divide_up(active, gpu.sm_count) * 4 * kDecodeRows * kDecodeKeys *
                          static_cast<double>(a.dim) / gpu.operators.mma.flops;
  const double dram = active * work.dram_bytes / (work.tiles * work.key_blocks) /
                      dram_bytes_per_cycle(gpu, gpu.clock);
  const double copy = divide_up(active, gpu.sm_count) * bytes / pipeline.copy_bytes;
  const double l2 = active * bytes / l2_bytes_per_cycle(gpu, gpu.clock);
  return steps * soft_largest({alone, products, dram, copy, l2}, pipeline.overlap_norm) +
         spec.decode_unit_cycles;
}

Duration decode_split(const GpuSpec& gpu, const program::Attention& a, const DecodeWork& work,
                      double split) {
  constexpr double kCold = 0.5;
  const CudnnSpec& spec = gpu.operators.cudnn;
  const double steps = divide_up(work.key_blocks, split);
  const double blocks = work.tiles * split;
  double cycles = a.state.l2_hit < kCold ? gpu.operators.pipeline.first_touch_cycles : 0.0;
  if (blocks <= work.slots) {
    cycles += wave_cycles(gpu, a, work, blocks, steps);
  } else {  // blocks of different waves overlap, but for the last ones' ends
    cycles += wave_cycles(gpu, a, work, work.slots, steps) * blocks / work.slots +
              0.5 * (spec.decode_unit_cycles + spec.decode_step_cycles);
  }
  return gpu.kernel.block.ramp + cycle_time(cycles, gpu.clock) +
         (split > 1 ? spec.decode_combine : Duration(0));
}

}  // namespace

OperatorTime cudnn_prefill_at(const GpuSpec& gpu, const program::Attention& attention,
                              Frequency clock) {
  return prefill_time(gpu, attention, prefill_path(gpu, attention), clock);
}

OperatorTime cudnn_prefill(const GpuSpec& gpu, const program::Attention& attention,
                           const program::LoadHistory& history) {
  return under_load(
      gpu, [&](Frequency clock) { return cudnn_prefill_at(gpu, attention, clock); }, history);
}

OperatorTime cudnn_decode(const GpuSpec& gpu, const program::Attention& attention) {
  if (attention.queries > 1) return cudnn_prefill_at(gpu, attention, gpu.clock);
  constexpr double kMostBlocks = 2;  // splits fill the SMs so often
  const DecodeWork work = decode_work(gpu, attention);
  OperatorTime best;
  for (const double split : {1, 2, 4, 8, 16, 32}) {
    const bool crowded = split > 1 && work.tiles * split > kMostBlocks * gpu.sm_count;
    if (split > work.key_blocks || crowded) continue;
    const Duration time = decode_split(gpu, attention, work, split);
    if (split > 1 && time >= best.time) continue;
    best.time = time;
    best.shape = decode_shape(attention);
    best.shape.grid.x = static_cast<std::uint32_t>(work.tiles * split);
  }
  best.clock = gpu.clock;
  // Rows beyond the queries are zeros, which switch nothing; their softmax is computed.
  const double scores = work.tiles * work.key_blocks * kDecodeRows * kDecodeKeys;
  best.activity = {work.dram_bytes, key_value_bytes(attention),    operations(attention),
                   attention.type,  gpu.power.attention_switching, kSoftmaxInstructions * scores};
  return best;
}

}  // namespace septet::gpu
