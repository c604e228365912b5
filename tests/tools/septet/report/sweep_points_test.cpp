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
