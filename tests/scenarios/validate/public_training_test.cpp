// Published and measured training steps: what a row becomes, and that it is answered.
#include "scenarios/validate/public_training.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/validate.hpp"
#include "tests/scenarios/validate/h200.hpp"

namespace septet::test {
namespace {

using Json = nlohmann::ordered_json;

Json plain_case() {
  return Json::parse(R"({"model": "a-model", "layers": 4, "hidden": 1024, "heads": 16,
      "kv_heads": 4, "feed_forward": 4096, "gated_mlp": true, "vocabulary": 32000, "experts": 0,
      "gpu": "h200-sxm", "gpus": 16, "gpus_per_node": 8, "network_gbps_per_gpu": null,
      "sequence": 2048, "global_batch": 64, "micro_batch": 2, "tensor": 2, "pipeline": 2,
      "virtual_pipeline": 2, "context": 1, "expert": 1, "fsdp": 0, "recompute": "none",
      "precision": "bf16", "framework": "NeMo 24.09"})");
}

validation::MeasuredRow row_of(Json keys, const char* metric = "step_s",
                               const char* group = "train_public") {
  validation::MeasuredRow row;
  row.group = group;
  row.metric = metric;
  row.case_ = validation::case_of(std::move(keys));
  return row;
}

double answer(const validation::MeasuredRow& row) {
  const validation::Prediction out = predict(row, h200());
  EXPECT_TRUE(out.value) << out.limiter;
  return out.value.value_or(0);
}

// 16 GPUs of 2 x 2: four replicas; 64 sequences in micro batches of 2: eight each.
TEST(PublicTraining, DividesGpusAndBatch) {
  const training::TrainingSpec spec = validation::training_of(row_of(plain_case()));
  EXPECT_EQ(spec.data_parallel_size, 4U);
  EXPECT_EQ(spec.num_microbatches, 8U);
  EXPECT_EQ(spec.virtual_pipeline_size, 2U);
  EXPECT_TRUE(spec.sequence_parallel);
  EXPECT_EQ(spec.zero_stage, 1U);
}

TEST(PublicTraining, KnowsFrameworksByTheirDefaults) {
  Json keys = plain_case();
  keys["framework"] = "Megatron-LM";
  keys["flash_attention"] = false;
  keys["recompute"] = "selective";
  keys["recompute_modules"] = "core_attention";
  const training::TrainingSpec old = validation::training_of(row_of(keys));
  EXPECT_EQ(old.style.framework, training::Framework::kMegatron);
  EXPECT_EQ(old.zero_stage, 0U);
  EXPECT_FALSE(old.style.flash_attention);
  EXPECT_FALSE(old.sequence_parallel);
  EXPECT_TRUE(old.recompute.attention);
  keys["framework"] = "llm-foundry / Composer (PyTorch FSDP1)";
  keys["fsdp"] = 1;
  EXPECT_EQ(validation::training_of(row_of(keys)).style.framework, training::Framework::kComposer);
  EXPECT_EQ(validation::training_of(row_of(keys)).zero_stage, 3U);
  keys["fsdp_style"] = "zero2";
  EXPECT_EQ(validation::training_of(row_of(keys)).zero_stage, 2U);
}

TEST(PublicTraining, TakesTheNetworkOfTheRow) {
  Json keys = plain_case();
  keys["network_gbps_per_gpu"] = 100;
  keys["nvlink_domain"] = 72;
  const system::SystemSpec system = validation::training_system(row_of(keys), h200());
  EXPECT_DOUBLE_EQ(system.network.nic.count(), 12.5e9);
  EXPECT_EQ(system.network.gpus_per_node, 72U);
}

// 64 sequences of 2,048 tokens over 16 GPUs.
TEST(PublicTraining, GivesRatesOfTheSameStep) {
  const double seconds = answer(row_of(plain_case()));
  EXPECT_NEAR(answer(row_of(plain_case(), "tokens_per_s_gpu")), 64.0 * 2048 / 16 / seconds, 1e-6);
}

TEST(PublicTraining, NeverLooksAtTheValue) {
  validation::MeasuredRow row = row_of(plain_case());
  const double without = answer(row);
  row.value = 123;
  EXPECT_EQ(answer(row), without);
}

Json step_case() {
  return Json::parse(R"({"what": "train_step", "model": "tiny", "layers": 2, "hidden": 256,
      "heads": 4, "kv_heads": 4, "dim": 64, "feed_forward": 1024, "gated": false,
      "vocabulary": 1000, "norm": "layer", "positions": "learned", "micro_batch": 2,
      "sequence": 128, "precision": "bf16", "recompute": "none", "mode": "eager",
      "optimizer": "adamw-fused", "parameters": 2090496})");
}

// The three phases are the step.
TEST(TrainStep, AnswersItsPhases) {
  const auto of = [](const char* metric) {
    return answer(row_of(step_case(), metric, "train_step"));
  };
  EXPECT_NEAR(of("forward_device") + of("backward_device") + of("optimizer_device"),
              of("step_wall"), 1e-3);
}

// Two layers of 12 * 256^2 parameters, embedding and head of 1,000 x 256: 2.08 million of six bytes
// (parameter and two moments in 16 bits), and the activations.
TEST(TrainStep, AnswersItsMemory) {
  const double parameters = 2 * 12.0 * 256 * 256 + 2 * 1000.0 * 256;
  const double bytes = answer(row_of(step_case(), "peak_memory", "train_step"));
  EXPECT_GT(bytes, 6 * parameters);
  EXPECT_LT(bytes, 8 * parameters + 20e6);
}

}  // namespace
}  // namespace septet::test
