#include "scenarios/llm/step_simulation.hpp"

#include <gtest/gtest.h>

#include "scenarios/config/hardware/profile.hpp"
#include "tests/models/workload/llm/small_model.hpp"

namespace septet::testing {
namespace {

using serving::Batch;
using serving::Execution;

const system::SystemSpec& h200() {
  static const system::SystemSpec spec = [] {
    const config::ProfileLibrary library({std::string(SEPTET_SOURCE_DIRECTORY) + "/data"});
    system::SystemSpec out;
    out.gpu = config::gpu_spec(library.find(config::ProfileKind::kGpu, "h200-sxm", {}, "gpu"));
    out.host =
        config::host_spec(library.find(config::ProfileKind::kHost, "xeon-h200-host", {}, "host"));
    return out;
  }();
  return spec;
}

llm::Deployment deep_deployment() {
  llm::Deployment out = small_deployment();
  out.model.num_layers = 40;
  out.model.experts = {
      .num_experts = 8, .moe_router_topk = 2, .moe_ffn_hidden_size = 256, .dense_layers = 5};
  return out;
}

Duration wall(const llm::Deployment& deployment, Execution execution, bool exact) {
  llm::StepOptions options;
  options.exact = exact;
  const llm::StepShape shape{8, 8, {{8, 1, 1000, false}}};
  return llm::StepSimulation(h200(), deployment, options).step(shape, execution).wall;
}

TEST(StepSimulation, LayersThatAreAddedUpTakeAsLongAsLayersThatAreSimulated) {
  for (const Execution execution :
       {Execution::kEager, Execution::kPiecewiseGraph, Execution::kFullGraph}) {
    const Duration exact = wall(deep_deployment(), execution, true);
    const Duration added = wall(deep_deployment(), execution, false);
    EXPECT_NEAR(ratio(added, exact), 1, 1e-3) << static_cast<int>(execution);
  }
}

TEST(StepSimulation, GraphsSpareTheHostsCalls) {
  const Duration call = h200().host.collective_cost;
  const Duration eager = wall(deep_deployment(), Execution::kEager, false);
  EXPECT_GT(eager, 40 * 10 * call);  // ten operators a layer at least, one call each
  EXPECT_LT(wall(deep_deployment(), Execution::kFullGraph, false), eager / 2);
}

TEST(StepSimulation, RanksOfATensorGroupWaitForTheirAllReduces) {
  llm::Deployment deployment = small_deployment();
  deployment.layout.tensor = 2;
  const Duration with = wall(deployment, Execution::kFullGraph, false);
  system::SystemSpec far = h200();
  far.gpu.collective.node_extra += 10_us;
  const llm::StepShape shape{8, 8, {{8, 1, 1000, false}}};
  const Duration later =
      llm::StepSimulation(far, deployment, {}).step(shape, Execution::kFullGraph).wall;
  // Two in each of four layers, one behind the embedding, one in front of the logits.
  EXPECT_EQ(later - with, 10 * 10_us);
}

TEST(SimulatedStepCost, SimulatesStepsThatAreAlikeOnce) {
  const llm::SimulatedStepCost cost(h200(), small_deployment(), {});
  const Batch batch{{{1000, 1}, {2000, 1}}, Execution::kFullGraph, 2};
  const Batch turned{{{2000, 1}, {1000, 1}}, Execution::kFullGraph, 2};
  const Duration first = cost.time(std::span(&batch, 1));
  EXPECT_EQ(cost.time(std::span(&turned, 1)), first);
  EXPECT_EQ(cost.simulated(), 1U);
  const Batch longer{{{4000, 1}, {2000, 1}}, Execution::kFullGraph, 2};
  EXPECT_GT(cost.time(std::span(&longer, 1)), first);
  EXPECT_EQ(cost.simulated(), 2U);
}

// Lengths within half a step of 1 / 32 are one step; exact costs tell them apart.
TEST(SimulatedStepCost, RoundsLengthsOnlyWhereItIsNotExact) {
  const auto distinct = [](bool exact) {
    const llm::SimulatedStepCost cost(h200(), small_deployment(), {.exact = exact});
    for (const std::int64_t context : {4096, 4100, 4104}) {
      const Batch batch{{{context, 1}}, Execution::kFullGraph, 1};
      cost.time(std::span(&batch, 1));
    }
    return cost.simulated();
  };
  EXPECT_EQ(distinct(false), 1U);
  EXPECT_EQ(distinct(true), 3U);
}

TEST(SimulatedStepCost, RanksWaitForTheSlowest) {
  llm::Deployment deployment = small_deployment();
  const llm::SimulatedStepCost cost(h200(), deployment, {});
  const Batch busy{{{4000, 1}, {4000, 1}}, Execution::kFullGraph, 2};
  const Batch idle{{}, Execution::kFullGraph, 0};
  const Batch both[] = {idle, busy};
  EXPECT_EQ(cost.time(both), cost.time(std::span(&busy, 1)));
}

}  // namespace
}  // namespace septet::testing
