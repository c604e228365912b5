#include "tools/septet/compare/comparison.hpp"

#include <gtest/gtest.h>

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

Comparison compared(const char* a, const char* b, const std::vector<std::string>& ignored = {}) {
  return compare_values(values_of(Json::parse(a)), values_of(Json::parse(b)), ignored);
}

TEST(Comparison, GivesTheChangeOfANumberInPercentOfA) {
  const Comparison comparison =
      compared(R"({"time_us": 80, "n": 3})", R"({"time_us": 60, "n": 3})");
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.equal, 1U);
  EXPECT_EQ(comparison.changes[0].key, "time_us");
  EXPECT_DOUBLE_EQ(*comparison.changes[0].change_pct(), -25);
}

TEST(Comparison, MatchesEntriesOfAListByTheirNames) {
  const Comparison comparison =
      compared(R"({"k": [{"name": "gemm", "us": 4}, {"name": "norm", "us": 1}]})",
               R"({"k": [{"name": "norm", "us": 1}, {"name": "gemm", "us": 5}]})");
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].key, "k[gemm].us");
  EXPECT_DOUBLE_EQ(*comparison.changes[0].change_pct(), 25);
}

TEST(Comparison, MatchesEntriesByPlaceWhereANameStandsTwice) {
  const Comparison comparison =
      compared(R"({"k": [{"name": "gemm", "us": 4}, {"name": "gemm", "us": 1}]})",
               R"({"k": [{"name": "gemm", "us": 4}, {"name": "gemm", "us": 2}]})");
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].key, "k[1].us");
}

TEST(Comparison, ShowsWhatOnlyOneOfThemHas) {
  const Comparison comparison = compared(R"({"old": 1, "gone": null})", R"({"new": 2})");
  ASSERT_EQ(comparison.changes.size(), 2U);
  EXPECT_EQ(comparison.changes[0].key, "old");
  EXPECT_FALSE(comparison.changes[0].b.has_value());
  EXPECT_EQ(comparison.changes[1].key, "new");
  EXPECT_FALSE(comparison.changes[1].a.has_value());
  EXPECT_EQ(count_above(comparison, 1000), 2U);
}

TEST(Comparison, ALimitIsExceededAboveItAndNotAtIt) {
  const Comparison comparison = compared(R"({"time_us": 100})", R"({"time_us": 102})");
  EXPECT_EQ(count_above(comparison, 2), 0U);
  EXPECT_EQ(count_above(comparison, 1.99), 1U);
}

TEST(Comparison, ANumberThatWasZeroExceedsAnyLimitAndATextNone) {
  EXPECT_EQ(count_above(compared(R"({"n": 0})", R"({"n": 1})"), 1e9), 1U);
  EXPECT_EQ(count_above(compared(R"({"digest": "a"})", R"({"digest": "b"})"), 0), 0U);
}

TEST(Comparison, AMeanOverSeedsExceedsALimitOnlyBeyondTheIntervalOfTheDifference) {
  // The interval of the difference is 5, from 3 and 4.
  const auto means = [](const char* b) {
    return compared(R"({"ttft": {"mean": 100, "half_width_95": 3}})", b);
  };
  const Comparison within = means(R"({"ttft": {"mean": 105, "half_width_95": 4}})");
  ASSERT_EQ(within.changes.size(), 1U);
  EXPECT_DOUBLE_EQ(within.changes[0].half_width, 5);
  EXPECT_EQ(count_above(within, 0), 0U);
  EXPECT_EQ(count_above(means(R"({"ttft": {"mean": 106, "half_width_95": 4}})"), 0), 1U);
}

TEST(Comparison, IgnoresAKeyAndAllBelowItAndNoLongerName) {
  const char* a = R"({"wall": {"s": 1}, "wall_s": 1})";
  const char* b = R"({"wall": {"s": 2}, "wall_s": 2})";
  const Comparison comparison = compared(a, b, {"wall"});
  ASSERT_EQ(comparison.changes.size(), 1U);
  EXPECT_EQ(comparison.changes[0].key, "wall_s");
}

TEST(Comparison, JsonHoldsNullWhereThereIsNoValue) {
  const Json json = comparison_json(compared(R"({"old": 1})", "{}"));
  EXPECT_EQ(json.at("equal"), 0);
  EXPECT_EQ(json.at("changed").at(0).at("a"), 1.0);
  EXPECT_TRUE(json.at("changed").at(0).at("b").is_null());
  EXPECT_TRUE(json.at("changed").at(0).at("change_pct").is_null());
}

}  // namespace
}  // namespace septet::command
