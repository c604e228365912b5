// Training steps on simulated GPUs.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "scenarios/system/run_program.hpp"
#include "tests/models/workload/training/testing.hpp"

namespace septet::test {
namespace {

system::SystemSpec h200_system() {
  const config::Hardware hardware = h200();
  system::SystemSpec system;
  system.gpu = hardware.gpu;
  system.host = hardware.host;
  return system;
}

engine::RunResult run(const training::TrainingSpec& spec, unsigned threads = 1) {
  const system::SystemSpec system = h200_system();
  engine::RunOptions options;
  options.threads = threads;
  return run_program(timed_training(system.gpu, spec), system, options).result;
}

training::TrainingSpec three_dimensions() {
  training::TrainingSpec spec = small_training();
  spec.tensor_parallel_size = 2;
  spec.data_parallel_size = 4;
  spec.pipeline_parallel_size = 2;
  spec.num_microbatches = 4;
  return spec;
}

TEST(TrainingRun, EndsTheSameWithAnyNumberOfThreads) {
  const engine::RunResult alone = run(three_dimensions());
  for (const unsigned threads : {2U, 4U}) {
    const engine::RunResult together = run(three_dimensions(), threads);
    EXPECT_EQ(together.digest, alone.digest);
    EXPECT_EQ(together.last, alone.last);
  }
}

TEST(TrainingRun, WaitsForTheSlowestGpu) {
  training::TrainingSpec spec = three_dimensions();
  const Instant on_time = run(spec).last;
  spec.slow = {{3, 3.0}};
  const Instant late = run(spec).last;
  EXPECT_GT((late - Instant()).count(), (on_time - Instant()).count() * 12 / 10);
}

// With one microbatch of p stages a stage works 1 / p of the time, with many nearly always.
TEST(TrainingRun, FillsThePipelineWithMicrobatches) {
  training::TrainingSpec spec = small_training();
  spec.pipeline_parallel_size = 4;
  spec.num_microbatches = 1;
  const auto one = static_cast<double>(run(spec).last.count());
  spec.num_microbatches = 8;
  const auto eight = static_cast<double>(run(spec).last.count());
  EXPECT_LT(eight, 0.5 * 8 * one);
  EXPECT_GT(eight, 2 * one);
}

TEST(TrainingRun, WithExpertsAndShardsEnds) {
  training::TrainingSpec spec = three_dimensions();
  spec.model.experts = {.num_experts = 4, .moe_router_topk = 2, .moe_ffn_hidden_size = 4096};
  spec.expert_parallel_size = 2;
  spec.zero_stage = 1;
  spec.recompute.granularity = training::Granularity::kFull;
  spec.steps = 2;
  EXPECT_GT(run(spec).last, Instant());
}

}  // namespace
}  // namespace septet::test
