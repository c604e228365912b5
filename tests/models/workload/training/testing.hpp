// A small transformer on H200s.
#pragma once

#include "models/gpu/operators/timed_lists.hpp"
#include "models/workload/training/training_program.hpp"
#include "scenarios/config/configuration.hpp"

namespace septet::test {

inline config::Hardware h200() {
  return config::read_hardware("h200-sxm", "", {},
                               config::ProfileLibrary(config::data_directories()), "test");
}

// With the times that its operators take on these GPUs.
inline program::Program timed_training(const ByRange<gpu::GpuSpec>& gpus,
                                       const training::TrainingSpec& spec) {
  program::Program program = training_program(spec);
  time_operators(program, gpus, slowness_of(spec));
  return program;
}

inline training::TrainingSpec small_training() {
  training::TrainingSpec spec;
  spec.model.num_layers = 4;
  spec.model.hidden_size = 1024;
  spec.model.num_attention_heads = 16;
  spec.model.num_query_groups = 8;
  spec.model.ffn_hidden_size = 4096;
  spec.model.vocab_size = 32768;
  spec.seq_length = 1024;
  spec.num_microbatches = 2;
  spec.bucket_size = 20'000'000_B;
  return spec;
}

}  // namespace septet::test
