#include "scenarios/training/group_exchange.hpp"

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using Gpus = std::vector<std::uint32_t>;
using training::Group;
using training::members;

// 2 tensor ranks, 2 context ranks, 4 replicas, 2 stages.
training::TrainingSpec layout() {
  training::TrainingSpec spec;
  spec.tensor_parallel_size = 2;
  spec.context_parallel_size = 2;
  spec.data_parallel_size = 4;
  spec.pipeline_parallel_size = 2;
  spec.zero_stage = 1;
  return spec;
}

TEST(Groups, LieAsMegatronNumbersThem) {
  const training::TrainingSpec spec = layout();
  EXPECT_EQ(members(spec, Group::kTensor), (Gpus{0, 1}));
  EXPECT_EQ(members(spec, Group::kContext), (Gpus{0, 2}));
  EXPECT_EQ(members(spec, Group::kData), (Gpus{0, 2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(members(spec, Group::kShard), members(spec, Group::kData));
  EXPECT_EQ(members(spec, Group::kPipeline), (Gpus{0, 16}));
}

TEST(Groups, OfShardsAndTheirReplicas) {
  training::TrainingSpec spec = layout();
  spec.shard_size = 4;
  EXPECT_EQ(members(spec, Group::kShard), (Gpus{0, 2, 4, 6}));
  EXPECT_EQ(members(spec, Group::kReplica), (Gpus{0, 8}));
}

// Experts lie over all 16 GPUs of the stage.
TEST(Groups, OfExpertsAreLaidOutAnew) {
  training::TrainingSpec spec = layout();
  spec.expert_parallel_size = 4;
  EXPECT_EQ(members(spec, Group::kExpert), (Gpus{0, 1, 2, 3}));
  EXPECT_EQ(members(spec, Group::kExpertData), (Gpus{0, 4, 8, 12}));
  spec.expert_tensor_parallel_size = 2;
  EXPECT_EQ(members(spec, Group::kExpertTensor), (Gpus{0, 1}));
  EXPECT_EQ(members(spec, Group::kExpert), (Gpus{0, 2, 4, 6}));
  EXPECT_EQ(members(spec, Group::kExpertData), (Gpus{0, 8}));
}

}  // namespace
}  // namespace septet::test
