// FlashAttention 2 as PyTorch runs it for the lower right corner of a causal mask.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/gpu/operators/flash.hpp"
#include "models/gpu/operators/tensor_rate.hpp"

namespace septet::gpu {
namespace {

constexpr FlashTile kTile{128, 64};
constexpr double kBlocksOfSm = 2;

double step_cycles(const GpuSpec& gpu, const program::Attention& a, Frequency clock) {
  const Flash2Spec& spec = gpu.operators.flash2;
  const double scores = kTile.queries * kTile.keys;
  const double flops = std::min(spec.flops, tensor_rate(gpu.tensor, a.type));
  const double arithmetic =
      4 * scores * static_cast<double>(a.dim) / flops + scores / spec.softmax_per_cycle;
  const double bytes = step_bytes(a, kTile.keys);
  return soft_largest({arithmetic, bytes / gpu.operators.pipeline.copy_bytes,
                       gpu.sm_count * bytes / l2_bytes_per_cycle(gpu, clock)},
                      gpu.operators.pipeline.overlap_norm);
}

// As often as blocks fill no more than the SMs' slots.
double splits(const GpuSpec& gpu, double blocks, double steps) {
  constexpr double kNearlyFull = 0.8;  // of the slots: not split
  const double slots = kBlocksOfSm * gpu.sm_count;
  if (blocks >= kNearlyFull * slots) return 1;
  return std::clamp(std::floor(slots / blocks), 1.0, std::max(1.0, std::floor(steps / 8)));
}

OperatorTime chunk_at(const GpuSpec& gpu, const program::Attention& a, Frequency clock) {
  const Flash2Spec& spec = gpu.operators.flash2;
  const std::vector<double> rows = steps_by_row(a, kTile);
  const auto heads = static_cast<double>(a.batch * a.heads);
  const double most = *std::ranges::max_element(rows);
  const double tiles = heads * static_cast<double>(rows.size());
  const double split = splits(gpu, tiles, most);
  const double blocks = tiles * split;
  const double all_steps = heads * std::accumulate(rows.begin(), rows.end(), 0.0);
  const double of_sm = std::ceil(blocks / gpu.sm_count);
  const double path = of_sm <= kBlocksOfSm ? of_sm * std::ceil(most / split)
                                           : std::max(all_steps / gpu.sm_count, most);
  const double read = (key_value_bytes(a) + query_bytes(a)) * (1.0 - a.state.l2_hit);
  const double written = a.state.l2_dirty ? cold_writes(gpu, read, query_bytes(a))
                                          : query_bytes(a) * (1.0 - a.state.l2_hit);
  const double body = path * step_cycles(gpu, a, clock) + of_sm * spec.tile_cycles;
  const double dram = (read + written) / dram_bytes_per_cycle(gpu, clock);
  OperatorTime out;
  out.time = gpu.kernel.block.ramp +
             cycle_time(soft_largest({body, dram}, gpu.operators.pipeline.overlap_norm) +
                            gpu.operators.pipeline.first_touch_cycles,
                        clock) +
             (split > 1 ? spec.combine : Duration(0));
  out.clock = clock;
  out.limiter = dram > body ? Bottleneck::kDram : Bottleneck::kPipe;
  out.shape = one_block_an_sm(gpu, blocks);
  out.activity = {read + written,
                  all_steps * step_bytes(a, kTile.keys),
                  operations(a),
                  a.type,
                  gpu.power.attention_switching,
                  kSoftmaxInstructions * all_steps * kTile.queries * kTile.keys};
  return out;
}

}  // namespace

OperatorTime flash2_chunk(const GpuSpec& gpu, const program::Attention& attention,
                          const program::LoadHistory& history) {
  return under_load(
      gpu, [&](Frequency clock) { return chunk_at(gpu, attention, clock); }, history);
}

}  // namespace septet::gpu
