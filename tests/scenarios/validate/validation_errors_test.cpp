#include "scenarios/validate/errors/validation_errors.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/trace/sample.hpp"

namespace septet::validation {
namespace {

using sample::TemporaryDirectory;

constexpr const char* kModel = "Llama-3.1-8B";

std::vector<ServingError> rows(std::size_t count, const std::string& model, const std::string& gpu,
                               const std::string& engine, double error) {
  return std::vector<ServingError>(count, {model, gpu, 1, engine, "ttft_p50", error});
}

std::vector<ServingError> joined(std::vector<ServingError> a, const std::vector<ServingError>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const ServingSetup kSetup{"llama-3.1-8b", "h100-sxm", "vllm-v1-async"};

TEST(NearestRows, AreThoseOfTheSameSetUpWhereThereAreEnough) {
  const auto near = rows(5, kModel, "h100-sxm", "vllm 0.15.1", -10);
  const auto far = rows(50, kModel, "a100-sxm-80gb", "sglang 0.5", 90);
  const std::vector<Neighbours> found = nearest_rows(joined(near, far), kSetup);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rows, 5U);
  EXPECT_EQ(found[0].median_abs_pct, 10);
  EXPECT_EQ(found[0].bias_pct, -10);
}

TEST(StepError, IsThatOfTpotElseOfThroughput) {
  auto measured = rows(5, kModel, "h100-sxm", "vllm 0.15.1", -10);  // of TTFT
  EXPECT_FALSE(step_error(measured, kSetup).has_value());
  for (int i = 0; i < 5; ++i) {
    measured.push_back({kModel, "h100-sxm", 1, "vllm 0.15.1", "output_tokens_per_s", 20});
  }
  EXPECT_EQ(step_error(measured, kSetup).value().median_abs_pct, 20);
  for (int i = 0; i < 5; ++i) {
    measured.push_back({kModel, "h100-sxm", 1, "vllm 0.15.1", "tpot_mean", -7});
  }
  EXPECT_EQ(step_error(measured, kSetup).value().median_abs_pct, 7);
}

TEST(NearestRows, GoFurtherAwayWhereThereAreTooFew) {
  const auto near = rows(4, kModel, "h100-sxm", "vllm 0.15.1", -10);
  const auto engine =
      rows(6, "Qwen3-14B", "h100-sxm", "sglang 0.5", 20);  // less than twice as large
  const std::vector<Neighbours> found = nearest_rows(joined(near, engine), kSetup);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rows, 10U);
  EXPECT_EQ(found[0].likeness, "same GPU, models of similar size");
  EXPECT_EQ(found[0].median_abs_pct, 20);
}

TEST(NearestRows, OfFewerThanFiveAreNotShown) {
  EXPECT_TRUE(nearest_rows(rows(4, kModel, "h100-sxm", "vllm", 1), kSetup).empty());
}

TEST(ValidationErrors, ComeFromTheFirstDirectoryThatHasThem) {
  const TemporaryDirectory data;
  std::filesystem::create_directories(data / "fit");
  std::ofstream(data / "fit/validation_errors.jsonl")
      << R"({"group": "op", "rows": 7, "unanswered": 1, "median_abs_pct": 4, "p90_abs_pct": 11})"
      << "\n"
      << R"({"group": "serve", "model": "m", "gpu": "g", "gpus": 1, "engine": "e", )"
      << R"("metric": "ttft_p50", "error_pct": -3.5})"
      << "\n";
  const ValidationErrors errors = read_validation_errors({data / "none", data / "."});
  ASSERT_EQ(errors.groups.size(), 1U);
  EXPECT_EQ(errors.groups[0].p90_abs_pct, 11);
  ASSERT_EQ(errors.serving.size(), 1U);
  EXPECT_EQ(errors.serving[0].error_pct, -3.5);
}

TEST(ValidationErrors, ABrokenLineIsNamed) {
  const TemporaryDirectory data;
  std::filesystem::create_directories(data / "fit");
  std::ofstream(data / "fit/validation_errors.jsonl") << "{\"group\": \"op\"}\n";
  try {
    read_validation_errors({data / "."});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.where().line, 1);
  }
}

}  // namespace
}  // namespace septet::validation
