#include "models/gpu/kernel/memory_balance.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace septet::testing {
namespace {

gpu::BalancedLoad load(double base, gpu::Queueing dram, gpu::Queueing l2 = {},
                       gpu::Queueing port = {}) {
  gpu::BalancedLoad out;
  out.base = base;
  out.queues = {dram, l2, port, {}};
  return out;
}

TEST(MemoryBalance, OfOneLoadIsItsPeriodAlone) {
  std::vector<gpu::BalancedLoad> loads = {load(500, {300, 90}, {200, 70}, {100, 30})};
  gpu::MemoryBalance(0.75).solve(loads);
  EXPECT_NEAR(loads[0].period, period_with(500, loads[0].queues, 0.75), 1e-6);
}

TEST(MemoryBalance, OfTwoLoadsThatFillDramSharesItsBandwidth) {
  // Each asks for 1,000 of 1,000 cycles: together they take 2,000, by symmetry both.
  std::vector<gpu::BalancedLoad> loads = {load(100, {1000, 1}), load(100, {1000, 1})};
  gpu::MemoryBalance(1).solve(loads);
  EXPECT_GT(loads[0].period, 2000);
  EXPECT_NEAR(loads[0].period, 2000, 5);
  EXPECT_DOUBLE_EQ(loads[0].period, loads[1].period);
}

TEST(MemoryBalance, LeavesLoadsThatUseNothingAlone) {
  std::vector<gpu::BalancedLoad> loads = {load(100, {1000, 1}), load(123, {})};
  gpu::MemoryBalance(1).solve(loads);
  EXPECT_DOUBLE_EQ(loads[1].period, 123);
}

// What each load takes at the queues that the use of all of them makes.
void expect_balance(const std::vector<gpu::BalancedLoad>& loads, double power, int seed) {
  double use[2] = {0, 0};
  for (const gpu::BalancedLoad& l : loads) {
    for (std::size_t r = 0; r < 2; ++r) use[r] += l.count * l.queues[r].use / l.period;
  }
  for (const gpu::BalancedLoad& l : loads) {
    double needed = l.base;
    for (std::size_t r = 0; r < 4; ++r) {
      const gpu::Queueing& q = l.queues[r];
      if (q.use > 0) needed += q.each * gpu::queue_length(r < 2 ? use[r] : q.use / l.period, power);
    }
    EXPECT_NEAR(needed, l.period, 1e-3 * l.period) << "seed " << seed;
  }
}

TEST(MemoryBalance, OfAnyLoadsIsASolution) {
  for (int seed = 0; seed < 50; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    std::uniform_real_distribution<double> any(0.0, 1.0);
    std::vector<gpu::BalancedLoad> loads(1 + random() % 20);
    for (gpu::BalancedLoad& l : loads) {
      const double base = std::exp(3 + 6 * any(random));
      const auto use = [&] { return any(random) < 0.2 ? 0.0 : 0.3 * base * any(random); };
      l = load(base, {use(), 200}, {use(), 70}, {use(), 30});
      l.count = static_cast<double>(1 + random() % 3);
    }
    gpu::MemoryBalance balance(0.75);
    balance.solve(loads);
    expect_balance(loads, 0.75, seed);
    loads.pop_back();  // and from the solution before
    if (loads.empty()) continue;
    balance.solve(loads);
    expect_balance(loads, 0.75, seed);
  }
}

}  // namespace
}  // namespace septet::testing
