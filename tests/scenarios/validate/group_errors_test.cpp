#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/validate.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

validation::ValidatedRow row_of(const std::string& group, std::optional<double> measured,
                                std::optional<double> predicted) {
  validation::ValidatedRow out;
  out.row.group = group;
  out.row.value = measured;
  out.prediction.value = predicted;
  return out;
}

TEST(ErrorPercent, IsOfTheMeasuredValueWithItsSign) {
  EXPECT_NEAR(*row_of("g", 100.0, 110.0).error_percent(), 10.0, 1e-9);
  EXPECT_NEAR(*row_of("g", 200.0, 150.0).error_percent(), -25.0, 1e-9);
}

TEST(ErrorPercent, NeedsBothValuesAndSomethingMeasured) {
  EXPECT_FALSE(row_of("g", std::nullopt, 1.0).error_percent().has_value());
  EXPECT_FALSE(row_of("g", 1.0, std::nullopt).error_percent().has_value());
  EXPECT_FALSE(row_of("g", 0.0, 1.0).error_percent().has_value());
}

TEST(GroupErrors, SumUpWhatIsComparedAndCountTheRest) {
  // Errors of +10, -20 and +40 percent, one row without a prediction, one without an answer.
  const auto groups = validation::group_errors(
      {row_of("g", 100.0, 110.0), row_of("g", 100.0, 80.0), row_of("g", 100.0, 140.0),
       row_of("g", 100.0, std::nullopt), row_of("g", std::nullopt, 7.0)});
  ASSERT_EQ(groups.size(), 1U);
  const validation::GroupErrors& errors = groups[0].second;
  EXPECT_EQ(errors.rows, 5U);
  EXPECT_EQ(errors.unsupported, 1U);
  EXPECT_EQ(errors.compared, 3U);
  EXPECT_NEAR(errors.median_abs, 20.0, 1e-9);
  EXPECT_NEAR(errors.max_abs, 40.0, 1e-9);
  EXPECT_NEAR(errors.bias, 10.0, 1e-9);  // (10 - 20 + 40) / 3
}

TEST(GroupErrors, ComeInTheOrderInWhichTheGroupsDo) {
  const auto groups =
      validation::group_errors({row_of("z", 1.0, 1.0), row_of("a", 1.0, std::nullopt),
                                row_of("z", 1.0, 1.0), row_of("m", 1.0, 1.0)});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].first, "z");
  EXPECT_EQ(groups[0].second.rows, 2U);
  EXPECT_EQ(groups[1].first, "a");
  EXPECT_EQ(groups[1].second.compared, 0U);
  EXPECT_EQ(groups[2].first, "m");
}

validation::MeasuredRow launch_chain(const std::string& case_text) {
  validation::MeasuredRow row;
  row.file = "rows.jsonl";
  row.line = 3;
  row.group = "launch";
  row.metric = "wall_total";
  row.case_ = validation::case_of(nlohmann::ordered_json::parse(case_text));
  return row;
}

TEST(Predict, AnswersARowFromItsCaseAndTheSystem) {
  // 4 to launch, 1 + 2, 10 x 1.0025 of spinning, 1 + 1 back.
  const validation::Prediction answer =
      predict(launch_chain(R"({"what": "chain", "kernels": 1, "spin_us": 10})"), round_system());
  ASSERT_TRUE(answer.value.has_value());
  EXPECT_NEAR(*answer.value, 19.025, 1e-9);
  EXPECT_EQ(answer.limiter, "gpu_busy");
}

TEST(Predict, SaysWhyTheModelCannotAnswer) {
  // 2,048 threads are no kernel of measured_spin; 1,024 threads of an SM without warps are no
  // kernel of the model.
  system::SystemSpec tiny = round_system();
  tiny.gpu.sm.max_warps = 16;
  tiny.gpu.sm.max_threads_per_block = 512;
  const validation::Prediction answer =
      predict(launch_chain(R"({"what": "chain", "kernels": 1, "threads": 1024})"), tiny);
  EXPECT_FALSE(answer.value.has_value());
  EXPECT_NE(answer.limiter.find("512"), std::string::npos) << answer.limiter;
}

TEST(Predict, ACaseThatIsWrongHasNoAnswer) {
  const validation::Prediction answer =
      predict(launch_chain(R"({"what": "chain"})"), round_system());
  EXPECT_FALSE(answer.value.has_value());
  EXPECT_EQ(answer.limiter, "key 'kernels' is missing");
  // No time is so long: what the models refuse is no end of the file either.
  EXPECT_FALSE(predict(launch_chain(R"({"what": "chain", "kernels": 900000, "spin_us": 1e12})"),
                       round_system())
                   .value.has_value());
}

TEST(Predict, AMistakenRowHasNoAnswer) {
  validation::MeasuredRow row = launch_chain(R"({"what": "chain", "kernels": 1, "spin_us": 10})");
  row.mistake = "no row at all";
  EXPECT_EQ(predict(row, round_system()).limiter, "no row at all");
}

TEST(ErrorLimits, AreKeptOrNamed) {
  const std::vector<validation::ValidatedRow> rows = {row_of("a", 100.0, 90.0),
                                                      row_of("a", 100.0, 90.0)};
  EXPECT_EQ(above(rows, {10.001, 10.001}), std::vector<std::string>{});
  EXPECT_EQ(above(rows, {9.9, 10.001}),
            std::vector<std::string>{"group a: median |error| 10.00 %, 90 % 10.00 %, wanted 9.9 % "
                                     "and 10.001 % at most"});
  EXPECT_EQ(above(rows, {10.001, 9.9}).size(), 1U);
  EXPECT_EQ(validation::above({row_of("a", 1.0, std::nullopt)}, {100, 100}),
            std::vector<std::string>{"no row could be compared"});
}

TEST(Unanswered, RowsAreCounted) {
  const auto answered = row_of("a", 1.0, 1.0);
  const auto silent = row_of("a", 1.0, std::nullopt);
  EXPECT_EQ(validation::unanswered_text({answered}), "");
  EXPECT_EQ(validation::unanswered_text({answered, silent}), "1 of 2 rows have no answer");
  EXPECT_EQ(validation::unanswered_text({silent, silent}), "not one of 2 rows has an answer");
}

}  // namespace
}  // namespace septet::test
