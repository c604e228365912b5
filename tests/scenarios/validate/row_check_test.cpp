#include "scenarios/validate/row_check.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/validate/validate.hpp"
#include "tests/models/workload/recorded/kineto/trace_file.hpp"
#include "tests/scenarios/validate/h200.hpp"

namespace septet::test {
namespace {

validation::MeasuredRow row_of(const std::string& group, const std::string& metric,
                               const nlohmann::ordered_json& about) {
  validation::MeasuredRow row;
  row.file = "rows.jsonl";
  row.line = 3;
  row.group = group;
  row.metric = metric;
  row.case_ = validation::case_of(about);
  return row;
}

validation::MeasuredRow streams_row(double streams, double kernels_each) {
  return row_of("streams", "makespan_in_kernels",
                {{"what", "streams"},
                 {"connections", 0},
                 {"streams", streams},
                 {"kernels_each", kernels_each},
                 {"order", "depth"},
                 {"spin_us", 1}});
}

std::string mistake(const validation::MeasuredRow& row) {
  try {
    check_value(row);
    why_unanswerable(row);
    return "no mistake";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(RowCheck, AUnitHasToBeThatOfTheMetric) {
  validation::MeasuredRow row = streams_row(1, 1);
  for (const char* unit : {"", "ratio"}) {
    row.unit = unit;
    EXPECT_EQ(mistake(row), "no mistake");
  }
  row.unit = "ms";
  EXPECT_EQ(mistake(row),
            "rows.jsonl:3: unit: got \"ms\", wanted \"ratio\" for makespan_in_kernels");
}

TEST(RowCheck, GroupsThatItDoesNotKnowMayHaveAnyUnitAndMetric) {
  validation::MeasuredRow row = row_of("weather", "rain", {});
  row.unit = "mm";
  EXPECT_EQ(mistake(row), "no mistake");
  EXPECT_EQ(why_unanswerable(row), std::nullopt);
}

TEST(RowCheck, AMetricThatAGroupLacksHasNoAnswer) {
  EXPECT_EQ(why_unanswerable(row_of("waves", "device_tim", {})),
            "group waves has no metric device_tim; it has device_time");
}

TEST(RowCheck, AMillionCommandsAreTheMost) {
  EXPECT_EQ(why_unanswerable(streams_row(1e6, 1)), std::nullopt);
  EXPECT_EQ(why_unanswerable(streams_row(1000, 1000)), std::nullopt);
  EXPECT_EQ(why_unanswerable(streams_row(1000, 1001)),
            "1.001e+06 commands, more than the limit of 1e+06 per row");
}

TEST(RowCheck, BlocksOfAllLaunchesAreCounted) {
  validation::MeasuredRow row = streams_row(10, 10);
  nlohmann::ordered_json about = *row.case_;
  about["blocks"] = 2e6;  // 100 launches: 2e8
  row.case_ = validation::case_of(about);
  EXPECT_EQ(why_unanswerable(row), std::nullopt);
  about["blocks"] = 3e6;
  row.case_ = validation::case_of(about);
  EXPECT_EQ(why_unanswerable(row), "3e+08 blocks, more than the limit of 2e+08 per row");
}

// Width 1000 by depth 1000, and not times a million nodes.
TEST(RowCheck, NodesOfAForkAndJoinAreCountedOnce) {
  const validation::MeasuredRow row =
      row_of("graph", "wall_single",
             {{"what", "graph_forkjoin"}, {"width", 1000}, {"depth", 1000}, {"nodes", 1000002}});
  EXPECT_EQ(why_unanswerable(row), std::nullopt);
}

TEST(RowCheck, ABillionStreamsAreAnsweredAsUnsupportedAndNotTried) {
  const validation::Prediction answer = predict(streams_row(1e9, 1), h200());
  EXPECT_FALSE(answer.value.has_value());
  EXPECT_EQ(answer.limiter, "1e+09 commands, more than the limit of 1e+06 per row");
}

TEST(RowCheck, NoCommandsAreAMistake) {
  EXPECT_EQ(mistake(streams_row(0, 1)), "rows.jsonl:3: case.streams: got 0, wanted at least 1");
}

// Of each row.
std::vector<std::optional<std::string>> mistakes(const std::string& content) {
  const TemporaryDirectory directory;
  std::vector<std::optional<std::string>> out;
  for (const validation::MeasuredRow& row :
       validation::read_measurements(directory.write("rows.jsonl", content))) {
    out.push_back(row.mistake);
  }
  return out;
}

TEST(RowCheck, UnknownKeysAreMistakesOfTheirRows) {
  EXPECT_EQ(mistakes(R"(
{"group": "g", "case": {"blocks": 1}, "metric": "m", "valeu": 3}
{"group": "g", "case": {"blocks": 1}, "metric": "m"}
{"group": "g", "case": {"blcoks": 1}, "metric": "m"}
{"group": "waves", "case": {"causal": 8}, "metric": "m"}
)"),
            (std::vector<std::optional<std::string>>{
                "unknown key valeu (did you mean 'value'?)", std::nullopt,
                "unknown key case.blcoks (did you mean 'blocks'?)", "unknown key case.causal"}));
}

TEST(RowCheck, RowsWhoseValueIsNullAreCounted) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("rows.jsonl", R"(
{"group": "g", "case": {}, "metric": "m"}
{"group": "g", "case": {}, "metric": "m", "value": null}
{"group": "g", "case": {}, "metric": "m", "value": null}
)");
  EXPECT_EQ(
      validation::row_warnings(validation::read_measurements(path)),
      std::vector<std::string>{path + ":3: value is null, nothing to compare with, in 2 rows"});
}

TEST(RowCheck, KnowsAllKeysAndUnitsOfOurMeasurements) {
  for (const char* group :
       {"launch", "graph",   "streams", "waves",   "dispatch", "occupancy", "queue",
        "copy",   "sharing", "memory",  "compute", "roofline", "mix",       "claim",
        "op",     "model",   "power",   "nccl",    "llm_step", "spec",      "serve"}) {
    const auto rows = validation::read_measurements(measurements_folder() + group + ".jsonl");
    for (const validation::MeasuredRow& row : rows) {
      EXPECT_EQ(row.mistake, std::nullopt) << row.where().text();
      EXPECT_EQ(why_unanswerable(row), std::nullopt) << row.where().text();
    }
  }
}

}  // namespace
}  // namespace septet::test
