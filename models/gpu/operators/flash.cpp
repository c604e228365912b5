#include "models/gpu/operators/flash.hpp"

#include <algorithm>
#include <cmath>

#include "models/gpu/operators/tensor_rate.hpp"

namespace septet::gpu {
namespace {

double as_double(std::uint64_t n) { return static_cast<double>(n); }

}  // namespace

double divide_up(double a, double b) { return std::ceil(a / b); }

double heads_per_group(const program::Attention& a) {
  return std::floor(as_double(a.heads / a.kv_heads));
}

double query_bytes(const program::Attention& a) {
  return as_double(a.batch * a.heads * a.queries * a.dim) * bytes_of(a.type);
}

double key_value_bytes(const program::Attention& a) {
  return 2.0 * as_double(a.batch * a.kv_heads * a.keys * a.dim) * bytes_of(a.type);
}

double step_bytes(const program::Attention& a, double keys) {
  return 2.0 * keys * as_double(a.dim) * bytes_of(a.type);
}

double l2_bytes_per_cycle(const GpuSpec& gpu, Frequency clock) {
  return gpu.kernel.memory.l2_bandwidth.count() / clock.count();
}

double dram_bytes_per_cycle(const GpuSpec& gpu, Frequency clock) {
  const double share = gpu.operators.pipeline.dram_share;
  return gpu.kernel.memory.dram_bandwidth.count() * share / clock.count();
}

double arithmetic_cycles(const GpuSpec& gpu, const program::Attention& a, FlashTile tile,
                         double softmax_per_cycle) {
  const double scores = tile.queries * tile.keys;
  return 4.0 * scores * as_double(a.dim) / tensor_rate(gpu.tensor, a.type) +
         scores / softmax_per_cycle;
}

OperatorTime prefill_time(const GpuSpec& gpu, const program::Attention& a, const FlashPath& path,
                          Frequency clock) {
  constexpr double kCold = 0.5;  // below this share of hits pages are touched for the first time
  const PipelineSpec& pipeline = gpu.operators.pipeline;
  const double bytes = step_bytes(a, path.tile.keys);
  const double active = std::min<double>(path.all_tiles, gpu.sm_count);
  const double miss = 1.0 - a.state.l2_hit;
  const double read = (query_bytes(a) + key_value_bytes(a)) * miss;
  const double written =
      a.state.l2_dirty ? cold_writes(gpu, read, query_bytes(a)) : query_bytes(a) * miss;
  const double arithmetic = arithmetic_cycles(gpu, a, path.tile, path.softmax_per_cycle);
  const double l2 = active * bytes / l2_bytes_per_cycle(gpu, clock);
  const double step =
      soft_largest({arithmetic, bytes / pipeline.copy_bytes, l2}, pipeline.overlap_norm);
  const double body = path.steps * step + path.tiles * path.tile_cycles;
  const double dram = (read + written) / dram_bytes_per_cycle(gpu, clock);
  const double start = pipeline.start_cycles + path.start_cycles +
                       (a.state.l2_hit < kCold ? pipeline.first_touch_cycles : 0.0);
  OperatorTime out;
  out.time = gpu.kernel.block.ramp +
             cycle_time(soft_largest({body, dram}, pipeline.overlap_norm) + start, clock);
  out.clock = clock;
  out.limiter = dram > body       ? Bottleneck::kDram
                : l2 > arithmetic ? Bottleneck::kL2
                                  : Bottleneck::kPipe;
  out.shape = one_block_an_sm(gpu, active);
  const double flops = 4.0 * path.tile.queries * path.tile.keys * as_double(a.dim) * path.all_steps;
  out.activity = {read + written, path.all_steps * bytes, flops, a.type,
                  gpu.power.attention_switching};
  return out;
}

}  // namespace septet::gpu
