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
  return 2.0 * as_double(a.batch * a.kv_heads * a.dim) * keys_seen(a) * bytes_of(a.type);
}

std::vector<double> steps_by_row(const program::Attention& a, FlashTile tile) {
  const auto keys = static_cast<double>(a.keys);
  const auto queries = static_cast<double>(a.queries);
  std::vector<double> out;
  for (double end = tile.queries; end - tile.queries < queries; end += tile.queries) {
    const double last = a.causal ? std::min(keys, keys - queries + end) : keys;
    double first = 0;
    if (a.window > 0) {
      const double before = std::min(tile.queries, queries) + as_double(a.window);
      first = std::floor(std::max(0.0, last - before) / tile.keys);
    }
    out.push_back(std::max(1.0, divide_up(last, tile.keys) - first));
  }
  return out;
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
  // Rows beyond the queries are zeros, which switch nothing.
  const double rows = divide_up(as_double(a.queries), path.tile.queries) * path.tile.queries;
  const double filled = std::min(1.0, as_double(a.queries) / rows);
  const double scores = filled * path.tile.queries * path.tile.keys * path.all_steps;
  out.activity = {read + written, path.all_steps * bytes,        4.0 * scores * as_double(a.dim),
                  a.type,         gpu.power.attention_switching, kSoftmaxInstructions * scores};
  return out;
}

}  // namespace septet::gpu
