// One thread runs a model of many LPs by windows in many partitions, while that pays.
#include <gtest/gtest.h>

#include "tests/core/engine/scripted_lp.hpp"

namespace septet::engine {
namespace {

using testing_support::scripted;

constexpr std::uint32_t kLps = 1U << 17;
constexpr std::int64_t kEvents = 300;  // of each LP that is active

// Every `stride`th LP sends an event, every 100 ps, to the LP of that number after it.
RunResult run(std::uint32_t stride, const RunOptions& options) {
  Simulation simulation;
  for (LpId id = 0; id < kLps; ++id) {
    simulation.add(scripted(
                       [=](Context& context) {
                         if (context.self() % stride == 0) context.schedule(1_ps, {});
                       },
                       [=](const Event&, Context& context) {
                         if (context.now() > Instant(100 * kEvents)) return;
                         context.send((context.self() + stride) % kLps, 100_ps, {});
                       }),
                   id);
  }
  simulation.connect_all(100_ps);
  return simulation.run(options);
}

TEST(LargeModel, RunsByWindowsOnOneThread) {
  const RunOptions end{.end = Instant(1'000)};
  const RunResult result = run(1, end);
  // Events at 1, 101, ... 901: ten windows, in each of which every LP handles one.
  EXPECT_EQ(result.windows, 10U);
  EXPECT_EQ(result.events, 10U * kLps);
  RunOptions one_queue = end;
  one_queue.partitions = 1;
  EXPECT_EQ(result.digest, run(1, one_queue).digest);
}

TEST(LargeModel, GoesOnWithOneQueueWhereWindowsHoldTooLittle) {
  // 32 of the LPs are active, fewer than one in each of 64 partitions. After 64 windows the
  // run goes on without; of 301 that it would take.
  const RunResult result = run(kLps / 32, {});
  EXPECT_EQ(result.windows, 64U);
  const RunResult wanted = run(kLps / 32, {.partitions = 1});
  EXPECT_EQ(wanted.windows, 1U);
  EXPECT_EQ(result.events, wanted.events);
  EXPECT_EQ(result.digest, wanted.digest);
  EXPECT_EQ(result.last, wanted.last);
}

}  // namespace
}  // namespace septet::engine
