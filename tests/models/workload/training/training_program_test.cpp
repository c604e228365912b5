#include "models/workload/training/training_program.hpp"

#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/models/workload/training/testing.hpp"
#include "tests/support/calls.hpp"

namespace septet::test {
namespace {

program::Program program_of(const training::TrainingSpec& spec) {
  const program::Program program = timed_training(h200().gpu, spec);
  check(program);
  return program;
}

// How often a thread calls each operation.
std::map<program::CollectiveOp, int> collectives(const program::Program& program,
                                                 std::uint32_t thread) {
  std::map<program::CollectiveOp, int> out;
  for (const program::Call& call : calls_of(program, program.threads[thread])) {
    if (call.kind() == program::CallKind::kCollective)
      ++out[program.collectives[*index_in(call)].op];
  }
  return out;
}

using Counts = std::map<program::CollectiveOp, int>;

TEST(TrainingProgram, OnOneGpuTalksToNobody) {
  const program::Program program = program_of(small_training());
  EXPECT_TRUE(program.communicators.empty());
  EXPECT_TRUE(collectives(program, 0).empty());
}

// GPU 1 has half the SMs: it makes the same calls, and its kernels take longer.
TEST(TrainingProgram, TakesTheTimesOfEachKindOfGpu) {
  training::TrainingSpec spec = small_training();
  spec.data_parallel_size = 2;
  gpu::GpuSpec half = h200().gpu;
  half.sm_count /= 2;
  ByRange<gpu::GpuSpec> gpus(h200().gpu);
  gpus.set(1, 1, half);
  const program::Program program = timed_training(gpus, spec);
  check(program);
  const auto usual = calls_of(program, program.threads[0]);
  const auto other = calls_of(program, program.threads[1]);
  ASSERT_EQ(usual.size(), other.size());
  Duration usual_time{}, other_time{};
  for (std::size_t c = 0; c < usual.size(); ++c) {
    ASSERT_EQ(usual[c].kind(), other[c].kind());
    if (usual[c].kind() != program::CallKind::kLaunchKernel) continue;
    usual_time += time_in(usual[c]);
    other_time += time_in(other[c]);
  }
  EXPECT_GT(other_time, usual_time);
  EXPECT_EQ(collectives(program, 0), collectives(program, 1));
}

// Per microbatch two all-reduces of a layer in each direction, one of the head in each.
TEST(TrainingProgram, ReducesActivationsOverTensorRanks) {
  training::TrainingSpec spec = small_training();
  spec.tensor_parallel_size = 4;
  const program::Program program = program_of(spec);
  ASSERT_EQ(program.communicators.size(), 1U);
  EXPECT_EQ(program.communicators[0].devices, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(collectives(program, 3),
            (Counts{{program::CollectiveOp::kAllReduce, 2 * (4 * 4 + 2)}}));
}

// Bytes that one rank hands to each operation.
std::map<program::CollectiveOp, Bytes> moved(const program::Program& program,
                                             std::uint32_t thread) {
  std::map<program::CollectiveOp, Bytes> out;
  for (const program::Call& call : calls_of(program, program.threads[thread])) {
    if (call.kind() != program::CallKind::kCollective) continue;
    out[program.collectives[*index_in(call)].op] += program.collectives[*index_in(call)].bytes;
  }
  return out;
}

// Activations of 1024 tokens have 1024 columns of two bytes: 2 MiB. Two microbatches; each layer
// gathers and scatters them twice in each direction, and gathers the inputs of its two
// column-parallel products once more for the gradients of their weights; the head gathers them
// before its product and scatters their gradients behind it. Only the loss still all-reduces its
// sums, 4 bytes a token.
TEST(TrainingProgram, ScattersAndGathersWithSequenceParallelism) {
  training::TrainingSpec spec = small_training();
  spec.tensor_parallel_size = 4;
  const Bytes reduced = moved(program_of(spec), 3)[program::CollectiveOp::kAllReduce];
  spec.sequence_parallel = true;
  const program::Program program = program_of(spec);
  EXPECT_EQ(collectives(program, 3),
            (Counts{{program::CollectiveOp::kAllReduce, 2},
                    {program::CollectiveOp::kAllGather, 2 * (4 * 6 + 1)},
                    {program::CollectiveOp::kReduceScatter, 2 * (4 * 4 + 1)}}));
  const std::map<program::CollectiveOp, Bytes> bytes = moved(program, 3);
  EXPECT_EQ(bytes.at(program::CollectiveOp::kAllGather), 2_MiB * 50);
  EXPECT_EQ(bytes.at(program::CollectiveOp::kReduceScatter), 2_MiB * 34);
  EXPECT_EQ(bytes.at(program::CollectiveOp::kAllReduce), 4_KiB * 2);
  EXPECT_EQ(reduced, 2_MiB * 34 + 4_KiB * 2);
}

// Norms and residuals of a quarter of the tokens take the time of those of a shorter sequence.
TEST(TrainingProgram, SharesTokensOutsideOfMatrices) {
  const auto time_of = [](const training::TrainingSpec& spec, const std::string& name) {
    const program::Program program = program_of(spec);
    for (const program::Call& call : calls_of(program, program.threads[0])) {
      if (call.kind() != program::CallKind::kLaunchKernel) continue;
      if (program.kernels[*index_in(call)].name == name) return time_in(call);
    }
    return Duration(0);
  };
  training::TrainingSpec whole = small_training();
  whole.tensor_parallel_size = 4;
  training::TrainingSpec shared = whole;
  shared.sequence_parallel = true;
  training::TrainingSpec shorter = whole;
  shorter.seq_length = whole.seq_length / 4;
  for (const char* kernel :
       {"embedding", "attention_norm", "mlp_norm", "residual", "final_norm", "mlp_norm_backward"}) {
    EXPECT_LT(time_of(shared, kernel), time_of(whole, kernel)) << kernel;
    EXPECT_EQ(time_of(shared, kernel), time_of(shorter, kernel)) << kernel;
  }
  for (const char* kernel : {"qkv", "attention", "mlp_out", "head"}) {
    EXPECT_EQ(time_of(shared, kernel), time_of(whole, kernel)) << kernel;
  }
}

// A quarter of 2 MiB.
TEST(TrainingProgram, SendsItsShareOfTokensToTheNextStage) {
  training::TrainingSpec spec = small_training();
  spec.tensor_parallel_size = 4;
  spec.pipeline_parallel_size = 2;
  spec.num_microbatches = 1;
  EXPECT_EQ(moved(program_of(spec), 0).at(program::CollectiveOp::kSend), 2_MiB);
  spec.sequence_parallel = true;
  EXPECT_EQ(moved(program_of(spec), 0).at(program::CollectiveOp::kSend), 512_KiB);
}

// A layer has 1024 * (2048 + 1024 + 3 * 4096) + 2048 parameters of two bytes: 31.5 MB, a bucket of
// its own as it is larger than 20 MB. The embedding and the head have 67 MB each.
TEST(TrainingProgram, ReducesEachBucketOverReplicas) {
  training::TrainingSpec spec = small_training();
  spec.data_parallel_size = 2;
  EXPECT_EQ(collectives(program_of(spec), 1), (Counts{{program::CollectiveOp::kAllReduce, 4 + 2}}));
  spec.bucket_size = 50'000'000_B;  // the head; two layers; two layers; the embedding
  EXPECT_EQ(collectives(program_of(spec), 1), (Counts{{program::CollectiveOp::kAllReduce, 4}}));
  spec.zero_stage = 1;
  EXPECT_EQ(collectives(program_of(spec), 1), (Counts{{program::CollectiveOp::kReduceScatter, 4},
                                                      {program::CollectiveOp::kAllGather, 4}}));
}

TEST(TrainingProgram, PassesActivationsFromStageToStage) {
  training::TrainingSpec spec = small_training();
  spec.pipeline_parallel_size = 4;
  const program::Program program = program_of(spec);
  // Two microbatches: ends send and receive them once, stages between them twice.
  EXPECT_EQ(collectives(program, 0),
            (Counts{{program::CollectiveOp::kSend, 2}, {program::CollectiveOp::kReceive, 2}}));
  EXPECT_EQ(collectives(program, 1),
            (Counts{{program::CollectiveOp::kSend, 4}, {program::CollectiveOp::kReceive, 4}}));
  EXPECT_EQ(program.call_lists.size(), 4U);
}

// Ranks: tensor fastest, then replicas, then stages.
TEST(TrainingProgram, NumbersGpusTensorRankFirst) {
  training::TrainingSpec spec = small_training();
  spec.tensor_parallel_size = spec.data_parallel_size = spec.pipeline_parallel_size = 2;
  const program::Program program = program_of(spec);
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
  training::TrainingSpec spec = small_training();
  spec.model.experts = {.num_experts = 8, .moe_router_topk = 2, .moe_ffn_hidden_size = 4096};
  spec.data_parallel_size = 4;
  spec.expert_parallel_size = 2;
  const program::Program program = program_of(spec);
  // There and back, in each direction, for each layer and microbatch.
  EXPECT_EQ(collectives(program, 0)[program::CollectiveOp::kAllToAll], 2 * 2 * 4 * 2);
}

// What takes how long is the GPU's business: all replicas of a stage make the same calls.
TEST(TrainingProgram, LaunchesOperatorsWithoutTimes) {
  training::TrainingSpec spec = small_training();
  spec.data_parallel_size = 4;
  spec.slow = {{2, 1.5}};
  const program::Program program = training_program(spec);
  EXPECT_EQ(program.call_lists.size(), 1U);
  for (const program::Call& call : program.call_lists[0]) {
    const auto* launch = program::get_if<program::LaunchKernel>(call);
    if (launch == nullptr) continue;
    EXPECT_EQ(launch->recorded, program::kModelled);
    EXPECT_TRUE(
        std::holds_alternative<program::OperatorWork>(program.kernels[launch->kernel].work));
  }
}

TEST(TrainingProgram, GivesSlowGpusCallsOfTheirOwn) {
  training::TrainingSpec spec = small_training();
  spec.data_parallel_size = 4;
  spec.slow = {{2, 1.5}};
  const program::Program program = program_of(spec);
  EXPECT_EQ(program.call_lists.size(), 2U);
  EXPECT_EQ(program.threads[1].list, program.threads[3].list);
  const auto first_kernel = [&](std::uint32_t thread) {
    for (const program::Call& call : calls_of(program, program.threads[thread])) {
      if (call.kind() == program::CallKind::kLaunchKernel) return time_in(call);
    }
    return Duration(0);
  };
  EXPECT_EQ(first_kernel(2), scale(first_kernel(1), 1.5));
}

std::string refusal_after(const std::function<void(training::TrainingSpec&)>& change) {
  training::TrainingSpec spec = small_training();
  change(spec);
  try {
    check(spec);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TrainingProgram, RefusesWhatCannotBeDivided) {
  EXPECT_EQ(refusal_after([](training::TrainingSpec&) {}), "accepted");
  EXPECT_EQ(refusal_after([](training::TrainingSpec& s) { s.tensor_parallel_size = 3; }),
            "training.model.num_attention_heads: got 16, wanted a multiple of "
            "training.tensor_parallel_size, 3");
  EXPECT_EQ(refusal_after([](training::TrainingSpec& s) { s.pipeline_parallel_size = 7; }),
            "training.pipeline_parallel_size: got 7, wanted at most model.num_layers and two, for "
            "stages and their chunks, 6");
  EXPECT_EQ(refusal_after([](training::TrainingSpec& s) { s.num_microbatches = 0; }),
            "training.num_microbatches: got 0, wanted at least 1");
  EXPECT_EQ(refusal_after([](training::TrainingSpec& s) {
              s.slow = {{1, 2.0}};
            }),
            "training.slow.device: got 1, wanted a GPU below 1");
  EXPECT_EQ(refusal_after([](training::TrainingSpec& s) {
              s.data_parallel_size = 2;
              s.slow = {{1, 2.0}, {1, 3.0}};
            }),
            "training.slow.device: got GPU 1 twice, wanted each GPU once");
  EXPECT_EQ(refusal_after([](training::TrainingSpec& s) {
              s.model.experts = {.num_experts = 4, .moe_router_topk = 5, .moe_ffn_hidden_size = 64};
            }),
            "training.model.moe_router_topk: got 5, wanted at most the 4 experts");
  EXPECT_EQ(refusal_after([](training::TrainingSpec& s) {
              s.tensor_parallel_size = 4;
              s.seq_length = 1022;
              s.sequence_parallel = true;
            }),
            "training.seq_length: got 1022, wanted a multiple of training.tensor_parallel_size, 4");
}

}  // namespace
}  // namespace septet::test
