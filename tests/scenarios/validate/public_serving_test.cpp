// Published serving runs: what a row becomes, and that it is answered.
#include "scenarios/validate/public_serving.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/validate.hpp"
#include "tests/scenarios/validate/h200.hpp"

namespace septet::test {
namespace {

using Json = nlohmann::ordered_json;

Json plain_case() {
  return Json::parse(R"({"model": "a/model", "gpu": "h200-sxm", "gpus": 2, "tensor": 1,
      "pipeline": 1, "engine": "vllm 0.15.1", "weights": "fp8", "kv": null, "input_tokens": 100,
      "output_tokens": 20, "requests": 60, "arrival": "closed", "concurrency": 8,
      "prefix_cache": true, "shape": {"layers": 4, "hidden": 1024, "heads": 16, "kv_heads": 4,
      "head_dim": 64, "feed_forward": 4096, "gated_mlp": true, "vocabulary": 32000}})");
}

validation::MeasuredRow row_of(Json keys, const char* metric = "output_tokens_per_s") {
  validation::MeasuredRow row;
  row.group = "serve_public";
  row.metric = metric;
  row.case_ = validation::case_of(std::move(keys));
  return row;
}

double answer(Json keys, const char* metric = "output_tokens_per_s") {
  const validation::Prediction out = predict(row_of(std::move(keys), metric), h200());
  EXPECT_TRUE(out.value) << out.limiter;
  return out.value.value_or(0);
}

TEST(PublicServing, TakesTheModelFromTheShape) {
  Json keys = plain_case();
  keys["attention_dp"] = true;
  keys["tensor"] = 4;
  keys["shape"]["experts"] = 8;
  keys["shape"]["active_experts"] = 2;
  keys["shape"]["expert_feed_forward"] = 512;
  keys["shape"]["shared_experts"] = 1;
  const llm::Deployment deployment = validation::deployment_of(row_of(keys), llm::Style::kVllm);
  EXPECT_EQ(deployment.layout.data, 4U);
  EXPECT_EQ(deployment.layout.tensor, 1U);
  EXPECT_TRUE(deployment.layout.expert);
  EXPECT_EQ(deployment.model.weights, transformer::NumberFormat::kFp8);
  EXPECT_EQ(deployment.kv, transformer::NumberFormat::kBf16);
  EXPECT_EQ(deployment.model.experts.moe_shared_expert_intermediate_size, 512U);
}

TEST(PublicServing, SchedulesBesideTheGpuFromTheVersionOnThatDoes) {
  const auto overlapped = [](const char* engine) {
    Json keys = plain_case();
    keys["engine"] = engine;
    return validation::PublicEngine(row_of(keys), h200().gpu).text.overlapped;
  };
  EXPECT_FALSE(overlapped("vllm 0.9.2"));
  EXPECT_FALSE(overlapped("vllm 0.11.0"));
  EXPECT_TRUE(overlapped("vllm 0.14.0"));
  EXPECT_TRUE(overlapped("sglang 0.5.3"));
}

// 60 requests of 20 tokens, twice as many GPUs: two replicas behind a router.
TEST(PublicServing, SharesRequestsAmongReplicas) {
  Json one = plain_case();
  one["gpus"] = 1;
  one["concurrency"] = 4;
  EXPECT_NEAR(answer(plain_case()) / answer(one), 2, 0.3);
}

TEST(PublicServing, AnswersRatesAndLatenciesOfOneRun) {
  const double tokens = answer(plain_case());
  EXPECT_NEAR(answer(plain_case(), "requests_per_s") * 20, tokens, 1e-6 * tokens);
  // Little's law: eight requests are under way all the time but at the end.
  const double e2e = answer(plain_case(), "e2e_mean") / 1000;
  EXPECT_NEAR(answer(plain_case(), "requests_per_s") * e2e, 8, 0.8);
  EXPECT_LE(answer(plain_case(), "ttft_p50"), answer(plain_case(), "ttft_p99"));
}

TEST(PublicServing, SaysWhyThereIsNoAnswer) {
  const auto reason = [](Json keys, const char* metric = "ttft_mean") {
    return predict(row_of(std::move(keys), metric), h200()).limiter;
  };
  EXPECT_EQ(reason(plain_case(), "happiness"), "no metric happiness");
  Json keys = plain_case();
  keys["engine"] = "abacus 1.0";
  EXPECT_NE(reason(keys).find("got \"abacus 1.0\", wanted the name of an engine"),
            std::string::npos)
      << reason(keys);
  keys = plain_case();
  keys["shape"]["layers"] = 4000000;
  EXPECT_NE(reason(keys).find("does not fit: weights"), std::string::npos) << reason(keys);
}

}  // namespace
}  // namespace septet::test
