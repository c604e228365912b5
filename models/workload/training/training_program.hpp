// A training step as a Program: one process, one thread and a few streams for each GPU; all GPUs of
// a pipeline stage share one list of calls.
//
// GPUs are numbered tensor rank fastest, then replica, then stage, so that tensor-parallel groups
// lie side by side. Kernels and the collectives that they need at once run on stream 0; activations
// come and go on stream 1, their gradients on stream 2; gradients are reduced in buckets on stream
// 3, from the last microbatch's backward pass on, while it computes. Then the parameters are
// updated; where they are sharded each replica reduces and updates its share and gathers the rest.
#pragma once

#include "core/base/by_range.hpp"
#include "models/program/program.hpp"
#include "models/workload/training/training_spec.hpp"

namespace septet::training {

// Kernels are operators: their times are the GPU's business (time_operators). Throws ConfigError
// where `spec` is wrong.
program::Program training_program(const TrainingSpec& spec);

// By device: how many times as long as usual kernels take.
ByRange<double> slowness_of(const TrainingSpec& spec);

}  // namespace septet::training
