#include "models/workload/training/training_rate.hpp"

namespace septet::training {

double model_flops(const TrainingSpec& spec) {
  const transformer::Model& model = spec.model;
  const double width = static_cast<double>(model.head_dim()) * model.num_attention_heads;
  const double attention = 12.0 * model.num_layers * width * spec.seq_length;
  return spec.global_batch() * spec.seq_length * (6 * active_parameters(model) + attention);
}

TrainingRate training_rate(const ByRange<gpu::GpuSpec>& gpus, const TrainingSpec& spec,
                           Duration span) {
  const double seconds = to_seconds(span) / spec.steps;
  TrainingRate out;
  out.tokens = spec.global_batch() * spec.seq_length;
  out.flops = model_flops(spec);
  out.tokens_per_second = out.tokens / seconds;
  out.achieved = FlopRate(out.flops / seconds / spec.ranks());
  double peaks = 0;
  for (std::uint32_t device = 0; device < spec.ranks(); ++device) {
    const gpu::GpuSpec& gpu = gpus[device];
    peaks += gpu.tensor.bf16_flops * gpu.sm_count * gpu.clock.count();
  }
  out.peak = FlopRate(peaks / spec.ranks());
  if (out.peak > FlopRate(0)) out.utilization = ratio(out.achieved, out.peak);
  return out;
}

}  // namespace septet::training
