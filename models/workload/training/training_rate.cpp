#include "models/workload/training/training_rate.hpp"

namespace septet::training {

double active_parameters(const Transformer& model) {
  const double hidden = model.hidden_size;
  const double head = hidden / model.num_attention_heads;
  const double attention = hidden * (2 * hidden + 2 * model.num_query_groups * head);
  const double experts = model.num_experts == 0 ? 1 : model.moe_top_k;
  const double mlp = 3 * hidden * model.ffn_hidden_size * experts + hidden * model.num_experts;
  return model.num_layers * (attention + mlp) + hidden * model.vocab_size;
}

TrainingRate training_rate(const ByRange<gpu::GpuSpec>& gpus, const TrainingSpec& spec,
                           Duration span) {
  const Transformer& model = spec.model;
  const double attention = 12.0 * model.num_layers * model.hidden_size * spec.seq_length;
  const double seconds = to_seconds(span) / spec.steps;
  TrainingRate out;
  out.tokens = static_cast<double>(spec.tokens()) * spec.num_microbatches * spec.data_parallel_size;
  out.flops = out.tokens * (6 * active_parameters(model) + attention);
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
