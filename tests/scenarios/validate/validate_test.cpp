#include "scenarios/validate/validate.hpp"

#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/scenarios/validate/h200.hpp"

namespace septet::test {
namespace {

std::vector<validation::ValidatedRow> validated(const std::string& group) {
  const system::SystemSpec system = h200();
  std::vector<validation::ValidatedRow> rows;
  for (const validation::MeasuredRow& row :
       validation::read_measurements(measurements_folder() + group + ".jsonl")) {
    rows.push_back({row, predict(row, system)});
  }
  return rows;
}

struct Tolerance {
  double median, p90;  // percent
};

class Fidelity : public testing::TestWithParam<std::pair<const char*, Tolerance>> {};

TEST_P(Fidelity, StaysWithinTheGroupsTolerance) {
  const auto& [group, tolerance] = GetParam();
  const validation::GroupErrors errors = group_errors(validated(group)).front().second;
  EXPECT_GT(errors.compared, 0U);
  EXPECT_LE(errors.median_abs, tolerance.median);
  EXPECT_LE(errors.p90_abs, tolerance.p90);
}

// Somewhat above what the model reaches, so that a change that makes it worse is seen.
INSTANTIATE_TEST_SUITE_P(
    Groups, Fidelity,
    testing::Values(
        std::pair{"launch", Tolerance{1.0, 7.0}}, std::pair{"streams", Tolerance{1.0, 4.0}},
        std::pair{"waves", Tolerance{1.0, 3.0}}, std::pair{"dispatch", Tolerance{4.0, 12.0}},
        std::pair{"occupancy", Tolerance{0.0, 0.0}}, std::pair{"copy", Tolerance{5.0, 14.0}},
        std::pair{"queue", Tolerance{7.0, 9.0}}, std::pair{"sharing", Tolerance{1.0, 7.0}},
        std::pair{"memory", Tolerance{2.0, 5.0}}, std::pair{"compute", Tolerance{1.5, 4.5}},
        std::pair{"roofline", Tolerance{2.0, 5.0}}, std::pair{"mix", Tolerance{2.5, 5.5}},
        std::pair{"claim", Tolerance{3.0, 11.0}}, std::pair{"op", Tolerance{4.5, 11.0}},
        std::pair{"power", Tolerance{2.0, 8.0}}, std::pair{"nccl", Tolerance{15.0, 38.0}},
        std::pair{"overlap", Tolerance{7.0, 14.0}}, std::pair{"serve_step", Tolerance{4.0, 9.0}},
        std::pair{"serve", Tolerance{4.0, 8.0}}));

// Steps of language models, as graphs and launched one by one: the latter are as slow as the host,
// which differs from row to row by more than that.
class StepFidelity : public testing::TestWithParam<std::pair<const char*, Tolerance>> {};

TEST_P(StepFidelity, StaysWithinTheToleranceOfGraphsAndOfCalls) {
  const auto& [group, tolerance] = GetParam();
  std::vector<validation::ValidatedRow> graphs;
  std::vector<validation::ValidatedRow> eager;
  for (validation::ValidatedRow& row : validated(group)) {
    (row.row.metric.ends_with("graph_wall") ? graphs : eager).push_back(std::move(row));
  }
  const validation::GroupErrors errors = group_errors(graphs).front().second;
  EXPECT_EQ(errors.unsupported, 0U);
  EXPECT_LE(errors.median_abs, tolerance.median);
  EXPECT_LE(errors.p90_abs, tolerance.p90);
  const validation::GroupErrors calls = group_errors(eager).front().second;
  EXPECT_EQ(calls.unsupported, 0U);
  EXPECT_LE(calls.median_abs, 30);
}

INSTANTIATE_TEST_SUITE_P(Groups, StepFidelity,
                         testing::Values(std::pair{"tp_step", Tolerance{5.0, 9.0}},
                                         std::pair{"llm_step", Tolerance{3.5, 9.0}},
                                         std::pair{"spec", Tolerance{3.5, 10.0}}));

// Eager collectives are as slow as the host; nodes of a graph are not.
TEST(Validation, OfCollectivesInGraphsStaysWithinItsTolerance) {
  std::vector<validation::ValidatedRow> rows;
  for (validation::ValidatedRow& row : validated("nccl")) {
    if (row.row.has("graph_of")) rows.push_back(std::move(row));
  }
  const validation::GroupErrors errors = group_errors(rows).front().second;
  EXPECT_GE(errors.compared, 9U);
  EXPECT_LE(errors.median_abs, 3.5);
  EXPECT_LE(errors.p90_abs, 9.0);
}

TEST(Validation, OfProfiledKernelsStaysWithinItsTolerance) {
  std::vector<validation::ValidatedRow> rows;
  for (const char* file : {"gpt2-1-128", "llama-1-512", "train-64-32"}) {
    for (validation::MeasuredRow& row :
         validation::read_measurements(measurements_folder() + "kernels/" + file + ".csv")) {
      validation::Prediction answer = predict(row, h200());
      rows.push_back({std::move(row), std::move(answer)});
    }
  }
  const validation::GroupErrors errors = group_errors(rows).front().second;
  EXPECT_GT(errors.compared, 200U);
  EXPECT_LE(errors.median_abs, 8.0);
  EXPECT_LE(errors.p90_abs, 24.0);
}

validation::MeasuredRow operator_row(const char* name, const char* timer, std::int64_t rows = 64) {
  validation::MeasuredRow row;
  row.group = "op";
  row.metric = "device_time";
  row.case_ = validation::case_of(
      {{"op", name}, {"dtype", "bf16"}, {"rows", rows}, {"cols", 1024}, {"timer", timer}});
  return row;
}

TEST(Validation, OperatorsNeedKernelsAndAKnownTimer) {
  const system::SystemSpec system = h200();
  EXPECT_TRUE(predict(operator_row("softmax", "events around one call"), system).value);
  EXPECT_FALSE(predict(operator_row("softmax", "a sundial"), system).value);
  const validation::Prediction unknown =
      predict(operator_row("fft", "events around one call"), system);
  EXPECT_FALSE(unknown.value);
  EXPECT_EQ(unknown.limiter, "no kernels for operator fft");
}

TEST(Validation, OperandsHaveToFitIntoTheDevice) {
  // By 1,024 columns of 2 bytes, read and written.
  const validation::Prediction answer =
      predict(operator_row("softmax", "events around one call", 1'000'000'000), h200());
  EXPECT_FALSE(answer.value);
  EXPECT_EQ(answer.limiter, "operands of 4.1e+12 bytes do not fit in the device's 1.41e+11");
}

// Replayed operands stay in the L2 cache.
TEST(Validation, ReplayedOperatorsAreFasterThanColdOnes) {
  const system::SystemSpec system = h200();
  EXPECT_LT(*predict(operator_row("rmsnorm", "graph of one call"), system).value,
            *predict(operator_row("rmsnorm", "events around one call"), system).value);
}

TEST(Validation, UnknownCasesAreCountedAsUnsupported) {
  validation::MeasuredRow row;
  row.group = "no such group";
  row.case_ = validation::case_of(nlohmann::ordered_json::object());
  EXPECT_FALSE(predict(row, h200()).value.has_value());
}

}  // namespace
}  // namespace septet::test
