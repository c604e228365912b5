// FlashAttention 3 with a paged cache, as vLLM runs it.
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "models/gpu/operators/flash.hpp"

namespace septet::gpu {
namespace {

// Rows of queries and keys of a prefill tile, 16-bit.
FlashTile prefill_tile(std::uint64_t dim) {
  if (dim <= 96) return {192, 128};
  if (dim <= 128) return {128, 128};
  if (dim <= 192) return {128, 112};
  return {128, 80};
}

// Cycles beyond the first step that the scheduler takes to find the next tile's sequence, 31
// lengths a step. Beyond 992 sequences every tile is a block of its own instead.
double search_cycles(const GpuSpec& gpu, const program::Attention& a, double tiles) {
  constexpr std::uint64_t kMostPrepared = 992;
  constexpr double kLengths = 31;
  if (a.batch > kMostPrepared) return 0;
  const auto batch = static_cast<double>(a.batch);
  const double apart = std::min(batch, gpu.sm_count * batch / tiles);
  return gpu.operators.flash3.search_cycles * std::max(0.0, apart / kLengths - 1.0);
}

// Query rows of a tile come in and its output rows leave; nothing overlaps them.
double tile_cycles(const GpuSpec& gpu, const program::Attention& a, double rows, double tiles) {
  constexpr double kBytesOfElement = 4;  // in and out
  const Flash3Spec& spec = gpu.operators.flash3;
  return spec.tile_cycles + kBytesOfElement * rows * static_cast<double>(a.dim) / spec.row_bytes +
         search_cycles(gpu, a, tiles);
}

FlashPath prefill_path(const GpuSpec& gpu, const program::Attention& a) {
  const FlashTile tile = prefill_tile(a.dim);
  const auto keys = static_cast<double>(a.keys);
  const auto own_queries = static_cast<double>(a.queries);
  const double group = heads_per_group(a);
  const double pack = std::fmod(own_queries, tile.queries) != 0 ? group : 1.0;
  const double heads = static_cast<double>(a.batch * a.heads) / pack;
  const double queries = own_queries * pack;
  const double rows = divide_up(queries, tile.queries);
  FlashPath path;
  path.tile = tile;
  path.softmax_per_cycle = gpu.operators.flash3.softmax_per_cycle;
  double longest = 0;
  for (double row = 0; row < rows; ++row) {
    const double before = keys - own_queries;  // keys that all rows see
    const double last = a.causal ? std::min(keys, before + (row + 1) * tile.queries / pack) : keys;
    const double window = a.window > 0 ? static_cast<double>(a.window) + tile.queries / pack : last;
    const double seen = std::min(last, window);
    const double steps = std::max(1.0, divide_up(seen, tile.keys));
    longest = std::max(longest, steps);
    path.all_steps += heads * steps;
  }
  path.all_tiles = heads * rows;
  const double waves = path.all_tiles / gpu.sm_count;
  constexpr double kManyWaves = 4;  // then SMs take tiles at different times
  path.tiles = std::max(1.0, waves < kManyWaves ? std::ceil(waves) : waves + 0.5);
  path.steps = waves > 1 ? std::max(longest, path.all_steps / gpu.sm_count) : longest;
  if (!a.causal || rows == 1) path.steps = path.tiles * longest;
  path.tile_cycles = tile_cycles(gpu, a, std::min(tile.queries, queries), path.all_tiles);
  return path;
}

constexpr FlashTile kDecodeTile{128, 128};  // computed whole, whatever is valid in it

// Rows of grouped heads fill tiles together.
double query_tiles(const program::Attention& a) {
  const double rows = heads_per_group(a) * static_cast<double>(a.queries);
  return static_cast<double>(a.batch * a.kv_heads) * divide_up(rows, kDecodeTile.queries);
}

Duration decode_split(const GpuSpec& gpu, const program::Attention& a, double split) {
  constexpr FlashTile kTile = kDecodeTile;
  const Flash3Spec& spec = gpu.operators.flash3;
  const PipelineSpec& pipeline = gpu.operators.pipeline;
  const double keys = keys_seen(a);
  const double key_blocks = divide_up(keys, kTile.keys);
  const double tiles = query_tiles(a) * split;
  const double active = std::min<double>(tiles, gpu.sm_count);
  const double steps = divide_up(key_blocks, split);
  const double bytes = step_bytes(a, kTile.keys);
  const double valid = std::min(1.0, keys / (key_blocks * kTile.keys));
  const double dram = key_value_bytes(a) * (1.0 - a.state.l2_hit) / (tiles * steps) * active /
                      dram_bytes_per_cycle(gpu, gpu.clock);
  const double step = soft_largest(
      {arithmetic_cycles(gpu, a, kTile, spec.softmax_per_cycle), bytes / pipeline.copy_bytes, dram,
       active * bytes * valid / l2_bytes_per_cycle(gpu, gpu.clock)},
      pipeline.overlap_norm);
  const double rows = std::min(kTile.queries, heads_per_group(a) * static_cast<double>(a.queries));
  const double wave = steps * step + tile_cycles(gpu, a, rows, tiles);
  const double waves = tiles / gpu.sm_count;
  constexpr double kManyWaves = 4;
  const double times = std::max(1.0, waves < kManyWaves ? std::ceil(waves) : waves + 0.5);
  Duration time =
      gpu.kernel.block.ramp + cycle_time(wave * times + pipeline.start_cycles, gpu.clock);
  if (split > 1) time += spec.combine + gpu.operators.call.node_gap;
  return time;
}

}  // namespace

OperatorTime flash3_prefill_at(const GpuSpec& gpu, const program::Attention& attention,
                               Frequency clock) {
  return prefill_time(gpu, attention, prefill_path(gpu, attention), clock);
}

OperatorTime flash3_prefill(const GpuSpec& gpu, const program::Attention& attention,
                            const program::LoadHistory& history) {
  const FlashPath path = prefill_path(gpu, attention);
  const auto at = [&](Frequency clock) { return prefill_time(gpu, attention, path, clock); };
  return under_load(gpu, at, history);
}

OperatorTime flash3_decode(const GpuSpec& gpu, const program::Attention& attention) {
  const double tiles = query_tiles(attention);
  const double key_blocks = divide_up(keys_seen(attention), kDecodeTile.keys);
  OperatorTime best;
  for (const double split : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128}) {
    const bool crowded = split > 1 && tiles * split > gpu.sm_count;
    if (split > key_blocks || crowded) continue;
    const Duration time = decode_split(gpu, attention, split);
    if (split > 1 && time >= best.time) continue;
    best.time = time;
    best.shape = one_block_an_sm(gpu, std::min<double>(tiles * split, gpu.sm_count));
  }
  best.clock = gpu.clock;
  const double bytes = key_value_bytes(attention);
  const double miss = 1.0 - attention.state.l2_hit;
  const double scores = tiles * key_blocks * kDecodeTile.queries * kDecodeTile.keys;
  best.activity = {bytes * miss,
                   bytes,
                   operations(attention),
                   attention.type,
                   gpu.power.attention_switching,
                   kSoftmaxInstructions * scores};
  return best;
}

}  // namespace septet::gpu
