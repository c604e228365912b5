// What benchmarks make of their measurements, and which options they refuse. Nothing is timed.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tools/septet/bench/cluster.hpp"
#include "tools/septet/bench/hold.hpp"
#include "tools/septet/bench/kernels.hpp"
#include "tools/septet/bench/phold.hpp"

namespace septet::command {
namespace {

TEST(ExtraCost, IsTheDifferenceByCount) {
  const std::optional<double> cost = extra_cost(3.0, 1.0, 0.5, 4);
  ASSERT_TRUE(cost.has_value());
  EXPECT_DOUBLE_EQ(*cost, 0.5);
}

TEST(ExtraCost, IsAbsentWhereItIsNoLargerThanTheNoise) {
  EXPECT_EQ(extra_cost(1.5, 1.0, 0.5, 4), std::nullopt);
  EXPECT_EQ(extra_cost(1.0, 1.5, 0, 4), std::nullopt);  // never below zero
  EXPECT_TRUE(extra_cost(1.75, 1.0, 0.5, 4).has_value());
}

template <class Run>
std::string place_of_mistake(Run run) {
  try {
    run();
    return "no mistake";
  } catch (const ConfigError& error) {
    return error.where().file;
  }
}

TEST(BenchOptions, OutOfRangeAreLocatedAtTheOption) {
  EXPECT_EQ(place_of_mistake([] { run_phold({.mean = 1_us, .lookahead = 2_us}); }), "--mean");
  EXPECT_EQ(place_of_mistake([] { run_phold({.end = Duration{}}); }), "--end");
  EXPECT_EQ(place_of_mistake([] { run_cluster({.kernel = Duration{}}); }), "--kernel");
  EXPECT_EQ(place_of_mistake([] { run_hold({.mean = 1_us, .lookahead = 2_us}); }), "--mean");
  EXPECT_EQ(place_of_mistake([] { run_kernels({.launches = 5, .kernels = 6}, {}); }), "--kernels");
}

}  // namespace
}  // namespace septet::command
