#include "models/workload/serving/engine.hpp"

#include <gtest/gtest.h>

namespace septet::serving {
namespace {

// 1 us and 1 ns for each token that the busiest rank computes.
class AffineCost : public StepCost {
 public:
  Duration time(std::span<const Batch> ranks) const override {
    return from_us(1) + from_ns(1) * ranks.front().padded_tokens;
  }
};

EngineSpec small_engine() {
  EngineSpec spec;
  spec.scheduler.kv_blocks = 100;
  spec.host = {from_us(2), from_us(3), from_ns(4), false};
  return spec;
}

const EngineCosts kCosts{std::make_shared<AffineCost>(), std::make_shared<AffineCost>()};

TEST(Engine, CountsHostAndGpuTimeOfAStep) {
  Engine engine(small_engine(), kCosts, 1);
  engine.add({0, 100, 2});
  const EngineStep step = engine.plan();
  EXPECT_EQ(step.gpu, from_us(1.1));
  EXPECT_EQ(step.host, from_us(2 + 3 + 0.4));
  EXPECT_EQ(step.prompt_tokens, 100);
}

TEST(Engine, RanksShareRequestsAndAnIdleOneStepsAlong) {
  EngineSpec spec = small_engine();
  spec.data_parallel_ranks = 2;
  Engine engine(spec, kCosts, 1);
  engine.add({0, 10, 1});
  engine.add({1, 30, 2});
  EngineStep step = engine.plan();
  ASSERT_EQ(step.ranks.size(), 2U);
  EXPECT_EQ(step.ranks[0].entries.front().request, 0U);
  EXPECT_EQ(step.ranks[1].entries.front().request, 1U);
  EXPECT_EQ(step.gpu, from_us(1.03));
  std::vector<Emission> out;
  engine.complete(step, out);
  step = engine.plan();
  EXPECT_TRUE(step.ranks[0].empty());
  EXPECT_EQ(step.gpu, from_us(1.001));
}

TEST(Engine, ARoundOfSpeculationTakesItsDraftStepsToo) {
  EngineSpec spec = small_engine();
  spec.scheduler.speculation = {2, 2, {1, 1}};
  Engine engine(spec, kCosts, 1);
  engine.add({0, 10, 9});
  std::vector<Emission> out;
  EngineStep step = engine.plan();
  EXPECT_EQ(step.gpu, from_us(1.01) * 2);  // the draft model reads the prompt too
  engine.complete(step, out);
  step = engine.plan();
  EXPECT_EQ(step.gpu, from_us(1.003) + from_us(1.001) * 2);
}

TEST(Engine, SwappedBlocksTakeTheirTime) {
  EngineSpec spec = small_engine();
  spec.scheduler.block_size = 4;
  spec.scheduler.kv_blocks = 4;
  spec.scheduler.preemption = Preemption::kSwap;
  spec.scheduler.swap_blocks = 9;
  spec.swap = {Bytes(1000), ByteRate(1e9)};
  Engine engine(spec, kCosts, 1);
  for (std::uint64_t i = 0; i < 2; ++i) engine.add({i, 8, 4});
  std::vector<Emission> out;
  engine.complete(engine.plan(), out);
  EXPECT_EQ(engine.plan().gpu, from_us(1.001) + from_us(2));
}

}  // namespace
}  // namespace septet::serving
