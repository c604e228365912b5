#include "tools/septet/report/sweep_points.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/trace/sample.hpp"

namespace septet::command {
namespace {

using sample::TemporaryDirectory;
using Json = nlohmann::ordered_json;

const Json kSummary = {
    {"keys", {"size", "change"}},
    {"outputs", {{{"name", "time"}, {"units", "us"}, {"meaning", "of the run"}}}}};

SweepPoints read(const std::string& rows) {
  const TemporaryDirectory folder;
  const std::filesystem::path file = folder / "sweep.csv";
  std::ofstream(file) << "point,status,size,change,time,message\n" << rows;
  return read_sweep_points(file, kSummary);
}

TEST(SweepPoints, HaveKeysOutputsAndWhatFailed) {
  const SweepPoints sweep = read("a,ok,1,,5.5,\nb,failed,2,\"x, y\",,no room\n");
  ASSERT_EQ(sweep.outputs.size(), 1U);
  EXPECT_EQ(sweep.outputs[0].units, "us");
  ASSERT_EQ(sweep.points.size(), 2U);
  EXPECT_EQ(sweep.points[0].outputs[0], 5.5);
  EXPECT_EQ(sweep.points[1].keys[1], "x, y");
  EXPECT_TRUE(std::isnan(sweep.points[1].outputs[0]));
  EXPECT_EQ(sweep.points[1].message, "no room");
}

TEST(SweepPoints, ARowOfAnotherShapeIsRefusedWithItsLine) {
  try {
    read("a,ok,1,,5.5,\nb,ok,2\n");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.where().line, 3);
  }
}

TEST(SweepPoints, WhatIsNoNumberIsRefused) { EXPECT_THROW(read("a,ok,1,,fast,\n"), ConfigError); }

TEST(SweepPoints, TextsStandBesideNumbersWhateverTheirOrder) {
  const Json summary = {
      {"keys", {"size"}},
      {"outputs",
       {{{"name", "limiter"}, {"units", "text"}, {"meaning", ""}, {"better", ""}},
        {{"name", "time"}, {"units", "us"}, {"meaning", ""}, {"better", "less"}}}}};
  const TemporaryDirectory folder;
  std::ofstream(folder / "sweep.csv")
      << "point,status,size,limiter,time,message\na,done,1,DRAM,5.5,\n";
  const SweepPoints sweep = read_sweep_points(folder / "sweep.csv", summary);
  EXPECT_EQ(sweep.texts, std::vector<std::string>{"limiter"});
  ASSERT_EQ(sweep.outputs.size(), 1U);
  EXPECT_EQ(sweep.outputs[0].better, "less");
  EXPECT_EQ(sweep.points[0].texts, std::vector<std::string>{"DRAM"});
  EXPECT_EQ(sweep.points[0].outputs, std::vector<double>{5.5});
}

SweepPoints points_of(const std::vector<std::pair<double, double>>& values) {
  SweepPoints out;
  out.outputs = {{"time", "us", "", "less"}, {"rate", "1/s", "", "more"}};
  for (const auto& [time, rate] : values) out.points.push_back({"", "done", {}, {time, rate}, ""});
  return out;
}

TEST(ParetoFront, HoldsWhatNoOtherPointBeats) {
  // Less time and more rate are better: (2, 5) is beaten by (1, 5), (3, 6) by (3, 8).
  const SweepPoints sweep = points_of({{3, 8}, {2, 5}, {1, 5}, {3, 6}, {9, 8}, {5, 9}});
  EXPECT_EQ(pareto_front(sweep, 0, 1), (std::vector<std::size_t>{2, 0, 5}));
}

TEST(ParetoFront, LeavesOutWhatHasNoValue) {
  const SweepPoints sweep = points_of({{std::nan(""), 8}, {2, 5}, {1, std::nan("")}});
  EXPECT_EQ(pareto_front(sweep, 0, 1), std::vector<std::size_t>{1});
}

TEST(MainEffects, AreMediansByValueTheStrongestFirst) {
  // Times 10, 12 | 20, 22 for sizes 1 | 2; the change adds 2.
  const SweepPoints sweep =
      read("a,ok,1,,10,\nb,ok,1,c,12,\nc,ok,2,,20,\nd,ok,2,c,22,\ne,failed,3,,,no room\n");
  const std::vector<MainEffect> effects = main_effects(sweep, 0);
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[0].key, 0U);
  ASSERT_EQ(effects[0].levels.size(), 2U);  // nothing is known of size 3
  EXPECT_EQ(effects[0].levels[0].median, 11);
  EXPECT_EQ(effects[0].levels[1].median, 21);
  EXPECT_EQ(effects[1].least(), 15);
  EXPECT_EQ(effects[1].most(), 17);
}

}  // namespace
}  // namespace septet::command
