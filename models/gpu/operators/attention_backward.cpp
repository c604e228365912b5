// The gradients of attention as cuDNN computes them (attention.hpp gives the equations).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/gpu/operators/flash.hpp"
#include "models/gpu/operators/tensor_rate.hpp"

namespace septet::gpu {
namespace {

constexpr FlashTile kTile{64, 64};

Duration at_share(const GpuSpec& gpu, double bytes, double share) {
  return gpu.kernel.block.ramp + gpu.front_end.stream_gap +
         from_seconds(bytes / (gpu.kernel.memory.dram_bandwidth.count() * share));
}

// The kernels around the main one.
Duration beside(const GpuSpec& gpu, const program::Attention& a) {
  const CudnnSpec& spec = gpu.operators.cudnn;
  const double sums = query_bytes(a) * bytes_of(program::DataType::kFp32) / bytes_of(a.type);
  return at_share(gpu, 2 * query_bytes(a), spec.backward_dot_share) + at_share(gpu, sums, 1) +
         at_share(gpu, sums + query_bytes(a), spec.backward_convert_share);
}

OperatorTime backward_at(const GpuSpec& gpu, const program::Attention& a, Frequency clock) {
  constexpr double kProducts = 5;
  const CudnnSpec& spec = gpu.operators.cudnn;
  const std::vector<double> rows = steps_by_row(a, kTile);
  const auto heads = static_cast<double>(a.batch * a.heads);
  const auto dim = static_cast<double>(a.dim);
  const double steps = heads * std::accumulate(rows.begin(), rows.end(), 0.0);
  const double tiles = heads * divide_up(static_cast<double>(a.keys), kTile.keys);
  const double products =
      kProducts * 2 * kTile.queries * kTile.keys * dim / peak_rate(gpu.tensor, a.type);
  const double row_bytes = 4 * kTile.keys * dim * bytes_of(a.type);
  const double step = products + spec.backward_step_cycles;
  const double tile = spec.backward_tile_cycles + row_bytes / spec.backward_row_bytes;
  const double sms = std::min<double>(tiles, gpu.sm_count);
  const double longest = *std::ranges::max_element(rows) * step + tile;
  const double body = std::max(longest, (steps * step + tiles * tile) / sms);
  const double read = (operand_bytes(a) - written_bytes(a)) * (1 - a.state.l2_hit);
  const double dram = (read + written_bytes(a)) / dram_bytes_per_cycle(gpu, clock);
  OperatorTime out;
  out.time = beside(gpu, a) + gpu.kernel.block.ramp +
             cycle_time(soft_largest({body, dram}, gpu.operators.pipeline.overlap_norm), clock);
  out.clock = clock;
  out.limiter = dram > body ? Bottleneck::kDram : Bottleneck::kPipe;
  out.shape = one_block_an_sm(gpu, sms);
  const double scores = steps * kTile.queries * kTile.keys;
  out.activity = {read + 3 * written_bytes(a),   steps * row_bytes,
                  kProducts * 2 * dim * scores,  a.type,
                  gpu.power.attention_switching, kSoftmaxBackwardInstructions * scores};
  return out;
}

}  // namespace

OperatorTime cudnn_backward(const GpuSpec& gpu, const program::Attention& attention,
                            const program::LoadHistory& history) {
  return under_load(
      gpu, [&](Frequency clock) { return backward_at(gpu, attention, clock); }, history);
}

}  // namespace septet::gpu
