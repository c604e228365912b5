// How well a training step uses its GPUs: tokens and model FLOPs a second, and their share of what
// the tensor cores could do.
//
//   FLOPs of a token = 6 N + 12 num_layers * hidden_size * seq_length
//
// N: parameters of the matrices that a token meets (transformer::active_parameters): of the experts
// that it is routed to, and of the head; the embedding is looked up, not multiplied. 6: two for the
// forward product, four for the two of the backward one. The second term is attention, as if it
// were not causal. What is computed twice to save memory does not count (Chowdhery et al., "PaLM:
// scaling language modeling with pathways", 2022, appendix B: model FLOPs utilization).
#pragma once

#include "core/base/by_range.hpp"
#include "models/gpu/gpu_spec.hpp"
#include "models/workload/training/training_spec.hpp"

namespace septet::training {

struct TrainingRate {
  double tokens = 0;             // of a step
  double flops = 0;              // of the model in a step
  double tokens_per_second = 0;  // of all GPUs
  FlopRate achieved{};           // model FLOPs a second of one GPU
  FlopRate peak{};         // of one GPU: all SMs, dense bf16, at the profile's clock; the mean
  double utilization = 0;  // achieved / peak
};

// Floating-point operations of one step by the formula.
double model_flops(const TrainingSpec& spec);

// `span`: of all steps of `spec`, which has been checked; longer than zero. A GPU without bf16
// tensor cores has a peak of zero, and a utilization of zero.
TrainingRate training_rate(const ByRange<gpu::GpuSpec>& gpus, const TrainingSpec& spec,
                           Duration span);

}  // namespace septet::training
