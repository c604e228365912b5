#include "tools/septet/compare/sweep_comparison.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/base/error.hpp"

namespace septet::command {
namespace {

const std::vector<SweepOutput> kTime = {{"time_us", "us", ""}};

SweepPoints sweep_of(std::vector<std::string> keys, std::vector<SweepPoint> points) {
  return {std::move(keys), kTime, std::move(points)};
}

SweepPoint point(std::vector<std::string> keys, double time, std::string status = "done") {
  return {"", std::move(status), std::move(keys), {time}, ""};
}

TEST(SweepComparison, MatchesPointsByTheirSettingsWhateverTheirOrder) {
  const SweepComparison changes =
      compare_sweeps(sweep_of({"grid", "host"}, {point({"1", "a"}, 10), point({"2", "b"}, 20)}),
                     sweep_of({"host", "grid"}, {point({"b", "2"}, 25), point({"a", "1"}, 10)}));
  EXPECT_EQ(changes.compared, 2U);
  ASSERT_EQ(changes.outputs.size(), 1U);
  const PointChange* largest = changes.outputs[0].largest();
  EXPECT_EQ(largest->point, "grid = 2, host = b");
  EXPECT_DOUBLE_EQ(*largest->percent(), 25);
  EXPECT_DOUBLE_EQ(changes.outputs[0].median_pct(), 12.5);
  EXPECT_EQ(changes.outputs[0].sure(), 1U);
}

TEST(SweepComparison, ListsPointsOfOneSweepAndStatusesThatChanged) {
  const SweepComparison changes = compare_sweeps(
      sweep_of({"grid"}, {point({"1"}, 10), point({"2"}, 20)}),
      sweep_of({"grid"}, {point({"2"}, std::nan(""), "infeasible"), point({"3"}, 30)}));
  EXPECT_EQ(changes.only_a, std::vector<std::string>{"grid = 1"});
  EXPECT_EQ(changes.only_b, std::vector<std::string>{"grid = 3"});
  ASSERT_EQ(changes.statuses.size(), 1U);
  EXPECT_EQ(changes.statuses[0].b, "infeasible");
  EXPECT_EQ(changes.outputs[0].came_or_went, 1U);
  EXPECT_EQ(count_above(changes, 1e9), 4U);
}

TEST(SweepComparison, ADifferenceBetweenSeedsAloneIsNoChange) {
  // The differences are +2 and -2: their mean, 0.4 in the second case, is within chance.
  const auto repeats = [](double shift) {
    return compare_sweeps(
        sweep_of({"grid", "run.seed"}, {point({"1", "1"}, 10), point({"1", "2"}, 20)}),
        sweep_of({"grid", "run.seed"},
                 {point({"1", "1"}, 12 + shift), point({"1", "2"}, 18 + shift)}));
  };
  EXPECT_TRUE(repeats(0).repeated);
  EXPECT_EQ(repeats(0.4).outputs[0].sure(), 0U);
  EXPECT_EQ(count_above(repeats(0.4), 0), 0U);
}

TEST(SweepComparison, TheIntervalOfRepeatsIsThatOfPairedDifferences) {
  // Values differ by 100 between seeds, but each by 1, 2 and 3 from its pair: mean 2 and, with the
  // 97.5th percentile 4.303 of t with two degrees of freedom, 2 +- 4.303 / sqrt(3).
  const SweepComparison changes = compare_sweeps(
      sweep_of({"run.seed"}, {point({"1"}, 100), point({"2"}, 200), point({"3"}, 300)}),
      sweep_of({"run.seed"}, {point({"1"}, 101), point({"2"}, 202), point({"3"}, 303)}));
  const PointChange& change = changes.outputs[0].points.at(0);
  EXPECT_DOUBLE_EQ(*change.percent(), 1);
  EXPECT_NEAR(change.half_width, 4.3027 / std::sqrt(3), 1e-3);
  EXPECT_FALSE(change.is_sure());
}

TEST(SweepComparison, ALimitIsExceededAboveItAndNotAtIt) {
  const SweepComparison changes = compare_sweeps(sweep_of({"grid"}, {point({"1"}, 100)}),
                                                 sweep_of({"grid"}, {point({"1"}, 102)}));
  EXPECT_EQ(count_above(changes, 2), 0U);
  EXPECT_EQ(count_above(changes, 1.99), 1U);
}

TEST(SweepComparison, TextsThatChangedAreListedAndExceedNoLimit) {
  SweepPoints a = sweep_of({"grid"}, {point({"1"}, 1)});
  SweepPoints b = a;
  a.texts = b.texts = {"limiter"};
  a.points[0].texts = {"DRAM"};
  b.points[0].texts = {"issue"};
  const SweepComparison changes = compare_sweeps(a, b);
  ASSERT_EQ(changes.texts.size(), 1U);
  EXPECT_EQ(changes.texts[0].output, "limiter");
  EXPECT_EQ(changes.texts[0].b, "issue");
  EXPECT_EQ(count_above(changes, 0), 0U);
  EXPECT_TRUE(compare_sweeps(a, b, {"limiter"}).texts.empty());
}

TEST(SweepComparison, OutputsCanBeLeftOut) {
  const SweepComparison changes = compare_sweeps(
      sweep_of({"grid"}, {point({"1"}, 1)}), sweep_of({"grid"}, {point({"1"}, 2)}), {"time_us"});
  EXPECT_TRUE(changes.outputs.empty());
}

TEST(SweepComparison, AKeyThatOnlyOneOfThemHasMustNotTellPointsApart) {
  const SweepPoints one = sweep_of({"grid"}, {point({"1"}, 1)});
  EXPECT_EQ(compare_sweeps(one, sweep_of({"grid", "host"}, {point({"1", "a"}, 1)})).compared, 1U);
  EXPECT_THROW(
      compare_sweeps(one, sweep_of({"grid", "host"}, {point({"1", "a"}, 1), point({"1", "b"}, 2)})),
      ConfigError);
}

TEST(SweepComparison, JsonNamesTheIntervalWhereThereAreRepeats) {
  const nlohmann::ordered_json json =
      comparison_json(compare_sweeps(sweep_of({"run.seed"}, {point({"1"}, 0), point({"2"}, 0)}),
                                     sweep_of({"run.seed"}, {point({"1"}, 4), point({"2"}, 4)})));
  EXPECT_EQ(json.at("interval"), "95 %, Student's t, paired by seed");
  EXPECT_EQ(json.at("outputs").at(0).at("largest").at("b"), 4);
  EXPECT_TRUE(json.at("outputs").at(0).at("largest").at("change_pct").is_null());
}

}  // namespace
}  // namespace septet::command
