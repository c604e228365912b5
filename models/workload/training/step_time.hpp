// The time of a training step, from one representative GPU of each pipeline stage.
//
// All replicas and all ranks of a group do the same at the same time, so one GPU of each stage
// stands for them; passes of all microbatches through all stages are simulated layer by layer. A
// layer starts when the one before has ended, its parameters are gathered and its launches made; a
// pass also when its input has come. Layers of a kind cost the same and are timed once.
//
// The order of passes is 1F1B, or with several chunks of layers on each stage the interleaved one
// (schedule.hpp). Gradients leave in the last microbatch's backward pass, layer by layer, on a
// stream of their own that takes SMs from compute while it is busy; sharded parameters (ZeRO-3) are
// gathered one layer ahead in every pass and their gradients reduced in every backward pass;
// parameters whose optimizer is sharded are gathered at the step's end, or beside the first
// forward passes where `gather_overlap`.
//
// GPUs of one kind differ: in clock under the same power limit, in temperature. Every step waits
// for the slowest of all n, whose kernels take sigma E(n) longer than the mean one's, where E(n) is
// the mean of the largest of n standard normal numbers. Sinha et al., "Not all GPUs are created
// equal", SC'22, saw 8 % between the median and the slowest of some hundred GPUs; sigma is 1.2 %
// here, by which weak scaling from 8 to 64 and from 64 to 1,024 GPUs of one cluster costs the 1.0
// to 1.3 % that published tables show (data/DEVIATIONS.md, Training).
//
// Ignored: data loading, what the host does between steps beyond launches.
#pragma once

#include "models/host/host_spec.hpp"
#include "models/workload/training/list_cost.hpp"

namespace septet::training {

struct StepTime {
  Duration total{};
  Duration forward{};   // until the last forward pass of the busiest stage has ended
  Duration backward{};  // from then to the end of its passes
  Duration optimizer{};
  Times parts{};      // of the stage that computes most; together they are the total
  double bubble = 0;  // share of the step that this stage waits for others
  Frequency clock{};
  gpu::Activity activity;  // of the kernels of one GPU in a step
  Power power{};           // its board draws, mean over the step
};

StepTime step_time(const TrainingSpec& spec, const gpu::GpuSpec& gpu, const host::HostSpec& host,
                   const ExchangeModel& exchange);

// The mean of the largest of `count` standard normal numbers, from its asymptotic series; 0 of one.
double largest_of_normal(double count);

// Layers of each chunk, by stage and chunk: chunk c of stage s is the c * stages + s th piece.
std::vector<std::vector<std::uint32_t>> layers_of_chunks(const TrainingSpec& spec);

}  // namespace septet::training
