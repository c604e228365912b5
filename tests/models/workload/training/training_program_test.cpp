#include "models/workload/training/training_program.hpp"

#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/workload/training/testing.hpp"

namespace septet::test {
namespace {

Program program_of(const TrainingSpec& spec) {
  const Program program = training_program(h200().gpu, spec);
  check(program);
  return program;
}

// How often a thread calls each operation.
std::map<CollectiveOp, int> collectives(const Program& program, std::uint32_t thread) {
  std::map<CollectiveOp, int> out;
  for (const Call& call : calls_of(program, program.threads[thread])) {
    if (call.kind == CallKind::kCollective) ++out[program.collectives[call.object].op];
  }
  return out;
}

using Counts = std::map<CollectiveOp, int>;

TEST(TrainingProgram, OnOneGpuTalksToNobody) {
  const Program program = program_of(small_training());
  EXPECT_TRUE(program.communicators.empty());
  EXPECT_TRUE(collectives(program, 0).empty());
}

// Per microbatch two all-reduces of a layer in each direction, one of the head in each.
TEST(TrainingProgram, ReducesActivationsOverTensorRanks) {
  TrainingSpec spec = small_training();
  spec.tensor = 4;
  const Program program = program_of(spec);
  ASSERT_EQ(program.communicators.size(), 1U);
  EXPECT_EQ(program.communicators[0].devices, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(collectives(program, 3), (Counts{{CollectiveOp::kAllReduce, 2 * (4 * 4 + 2)}}));
}

// A layer has 1024 * (2048 + 1024 + 3 * 4096) + 2048 parameters of two bytes: 31.5 MB, a bucket of
// its own as it is larger than 20 MB. The embedding and the head have 67 MB each.
TEST(TrainingProgram, ReducesEachBucketOverReplicas) {
  TrainingSpec spec = small_training();
  spec.data = 2;
  EXPECT_EQ(collectives(program_of(spec), 1), (Counts{{CollectiveOp::kAllReduce, 4 + 2}}));
  spec.bucket = 50'000'000_B;  // the head; two layers; two layers; the embedding
  EXPECT_EQ(collectives(program_of(spec), 1), (Counts{{CollectiveOp::kAllReduce, 4}}));
  spec.sharded = true;
  EXPECT_EQ(collectives(program_of(spec), 1),
            (Counts{{CollectiveOp::kReduceScatter, 4}, {CollectiveOp::kAllGather, 4}}));
}

TEST(TrainingProgram, PassesActivationsFromStageToStage) {
  TrainingSpec spec = small_training();
  spec.pipeline = 4;
  const Program program = program_of(spec);
  // Two microbatches: ends send and receive them once, stages between them twice.
  EXPECT_EQ(collectives(program, 0),
            (Counts{{CollectiveOp::kSend, 2}, {CollectiveOp::kReceive, 2}}));
  EXPECT_EQ(collectives(program, 1),
            (Counts{{CollectiveOp::kSend, 4}, {CollectiveOp::kReceive, 4}}));
  EXPECT_EQ(program.call_lists.size(), 4U);
}

// Ranks: tensor fastest, then replicas, then stages.
TEST(TrainingProgram, NumbersGpusTensorRankFirst) {
  TrainingSpec spec = small_training();
  spec.tensor = spec.data = spec.pipeline = 2;
  const Program program = program_of(spec);
  const auto group = [&](std::uint32_t thread, std::size_t role) {
    return program.communicators[program.threads[thread].offsets.communicators[role]].devices;
  };
  using Devices = std::vector<std::uint32_t>;
  EXPECT_EQ(group(5, 0), (Devices{4, 5}));  // tensor
  EXPECT_EQ(group(5, 1), (Devices{5, 7}));  // data
  EXPECT_EQ(group(5, 2), (Devices{1, 5}));  // pipeline
  EXPECT_EQ(program.call_lists.size(), 2U);
}

TEST(TrainingProgram, ExchangesTokensBetweenExperts) {
  TrainingSpec spec = small_training();
  spec.model.experts = 8;
  spec.model.active_experts = 2;
  spec.data = 4;
  spec.expert = 2;
  const Program program = program_of(spec);
  // There and back, in each direction, for each layer and microbatch.
  EXPECT_EQ(collectives(program, 0)[CollectiveOp::kAllToAll], 2 * 2 * 4 * 2);
}

TEST(TrainingProgram, GivesSlowGpusCallsOfTheirOwn) {
  TrainingSpec spec = small_training();
  spec.data = 4;
  spec.slow = {{2, 1.5}};
  const Program program = program_of(spec);
  EXPECT_EQ(program.call_lists.size(), 2U);
  EXPECT_EQ(program.threads[1].list, program.threads[3].list);
  const auto first_kernel = [&](std::uint32_t thread) {
    for (const Call& call : calls_of(program, program.threads[thread])) {
      if (call.kind == CallKind::kLaunchKernel) return call.work;
    }
    return Duration(0);
  };
  EXPECT_EQ(first_kernel(2), scale(first_kernel(1), 1.5));
}

std::string refusal_after(const std::function<void(TrainingSpec&)>& change) {
  TrainingSpec spec = small_training();
  change(spec);
  try {
    check(spec);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TrainingProgram, RefusesWhatCannotBeDivided) {
  EXPECT_EQ(refusal_after([](TrainingSpec&) {}), "accepted");
  EXPECT_EQ(refusal_after([](TrainingSpec& s) { s.tensor = 3; }),
            "training.heads: got 16, wanted a multiple of training.tensor, 3");
  EXPECT_EQ(refusal_after([](TrainingSpec& s) { s.pipeline = 3; }),
            "training.layers: got 4, wanted a multiple of training.pipeline, 3");
  EXPECT_EQ(refusal_after([](TrainingSpec& s) { s.microbatches = 0; }),
            "training.microbatches: got 0, wanted at least 1");
  EXPECT_EQ(refusal_after([](TrainingSpec& s) {
              s.slow = {{1, 2.0}};
            }),
            "training.slow.device: got 1, wanted a GPU below 1");
}

}  // namespace
}  // namespace septet::test
