// The block scheduler alone: grids arrive at given times, its events come back to it.
#include "models/gpu/block_scheduler/block_scheduler.hpp"

#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/simulation.hpp"
#include "models/program/kernel.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

constexpr std::uint16_t kAct = 0;
constexpr std::uint16_t kCohortEnd = 1;
constexpr std::uint16_t kTrigger = 2;

// One block on each SM at a time.
BlockNeeds whole_sm() { return {4, 0, 0, 200 * 1024}; }
// 32 warps: two blocks on each SM.
BlockNeeds half_sm() { return {32, 0, 0, 0}; }

GridRequest grid_of(std::uint64_t blocks, Duration time, const BlockNeeds& needs = whole_sm()) {
  GridRequest request;
  request.blocks = blocks;
  request.block_time = time;
  request.needs = needs;
  return request;
}

// Four SMs.
class Bench : public LogicalProcess {
 public:
  explicit Bench(const BlockSchedulerSpec& spec = {})
      : scheduler_(spec, testing::h200_sm(), 4, {kCohortEnd, kTrigger, 0}) {}

  struct Times {
    Duration started{-1}, ended{-1}, triggered{-1};
  };

  // The grid's number in the order of these calls.
  std::size_t admit(Duration at, const GridRequest& request) {
    const std::size_t number = times_.size();
    times_.emplace_back();
    act(at, [=, this](Context& context) { admit_now(number, request, context); });
    return number;
  }
  void release(Duration at, std::size_t grid, Duration released) {
    act(at, [=, this](Context& context) {
      scheduler_.release(id_of(grid), Instant() + released, context);
    });
  }
  void freeze(Duration at, Duration lost) {
    act(at, [=, this](Context&) { scheduler_.add_frozen(lost); });
  }

  const Times& times(std::size_t grid) const { return times_[grid]; }

  void start(Context& context) override {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      context.schedule(actions_[i].first, {kAct, 0, i, 0, Phase::kDefault});
    }
  }
  void handle(const Event& event, Context& context) override {
    const Duration now = context.now() - Instant();
    if (event.kind == kAct) return actions_[event.a].second(context);
    if (event.kind == kTrigger) {
      times_[number_[event.a]].triggered = now;
      return;
    }
    const auto ended = scheduler_.cohort_ended(event, context);
    if (!ended) return;
    Times& times = times_[number_[*ended]];
    times.started = scheduler_.started(*ended) - Instant();
    times.ended = now;
  }

 private:
  using Action = std::function<void(Context&)>;

  void act(Duration at, Action action) { actions_.emplace_back(at, std::move(action)); }

  // Events of a grid that is admitted may not come before its id is known.
  void admit_now(std::size_t number, const GridRequest& request, Context& context) {
    const GridId id = scheduler_.admit(request, context);
    if (id >= number_.size()) number_.resize(id + 1);
    number_[id] = number;
  }
  GridId id_of(std::size_t grid) const {
    for (GridId id = 0; id < number_.size(); ++id) {
      if (number_[id] == grid) return id;
    }
    throw std::runtime_error("the grid was not admitted");
  }

  BlockScheduler scheduler_;
  std::vector<std::pair<Duration, Action>> actions_;
  std::vector<std::size_t> number_;  // by id of the block scheduler
  std::vector<Times> times_;
};

// Runs what `prepare` arranges and returns the times of its grids.
std::vector<Bench::Times> run(const BlockSchedulerSpec& spec, std::size_t grids,
                              const std::function<void(Bench&)>& prepare) {
  auto owned = std::make_unique<Bench>(spec);
  Bench& bench = *owned;
  prepare(bench);
  Simulation simulation;
  simulation.add(std::move(owned), 0);
  simulation.run();
  std::vector<Bench::Times> times;
  for (std::size_t g = 0; g < grids; ++g) times.push_back(bench.times(g));
  return times;
}

Bench::Times run_one(const GridRequest& request, const BlockSchedulerSpec& spec = {}) {
  return run(spec, 1, [&](Bench& bench) { bench.admit(0_us, request); }).front();
}

BlockSchedulerSpec interval_of_1_us() {
  BlockSchedulerSpec spec;
  spec.block_interval = 1_us;
  return spec;
}

TEST(BlockScheduler, AGridThatFitsTakesTheTimeOfOneBlock) {
  EXPECT_EQ(run_one(grid_of(4, 10_us)).started, 0_us);
  EXPECT_EQ(run_one(grid_of(4, 10_us)).ended, 10_us);
  EXPECT_EQ(run_one(grid_of(8, 10_us, half_sm())).ended, 10_us);
}

TEST(BlockScheduler, BlocksThatDoNotFitComeInFurtherWaves) {
  EXPECT_EQ(run_one(grid_of(5, 10_us)).ended, 20_us);
  EXPECT_EQ(run_one(grid_of(8, 10_us)).ended, 20_us);
  EXPECT_EQ(run_one(grid_of(9, 10_us)).ended, 30_us);
  EXPECT_EQ(run_one(grid_of(9, 10_us, half_sm())).ended, 20_us);
}

TEST(BlockScheduler, BlocksLeaveOneByOne) {
  // The last of four is on its way after 4 us.
  EXPECT_EQ(run_one(grid_of(4, 10_us), interval_of_1_us()).ended, 14_us);
  EXPECT_EQ(run_one(grid_of(1, 10_us), interval_of_1_us()).ended, 11_us);
  // Two cohorts of four at once: 8 us.
  EXPECT_EQ(run_one(grid_of(8, 10_us, half_sm()), interval_of_1_us()).ended, 18_us);
}

TEST(BlockScheduler, ACohortsRoomIsFreeWhenItsFirstBlockEnds) {
  // The first block ends at 10: the next four leave until 14 and end at 24.
  EXPECT_EQ(run_one(grid_of(8, 10_us), interval_of_1_us()).ended, 24_us);
  // A tail of one block ends at 10 + 1 + 10.
  EXPECT_EQ(run_one(grid_of(5, 10_us), interval_of_1_us()).ended, 21_us);
}

TEST(BlockScheduler, ABlockHoldsItsRoomForItsOverheadAsWell) {
  BlockSchedulerSpec spec;
  spec.block_overhead = 2_us;
  spec.block_overhead_per_warp = 500_ns;
  EXPECT_EQ(run_one(grid_of(4, 10_us), spec).ended, 14_us);  // 4 warps: 10 + 2 + 2
  EXPECT_EQ(run_one(grid_of(5, 10_us), spec).ended, 28_us);
}

TEST(BlockScheduler, GridsAreServedFirstInFirstOut) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(8, 10_us));
    bench.admit(1_us, grid_of(4, 10_us));
  });
  EXPECT_EQ(times[0].ended, 20_us);
  EXPECT_EQ(times[1].started, 20_us);
  EXPECT_EQ(times[1].ended, 30_us);
}

TEST(BlockScheduler, TheNextGridUsesWhatATailLeavesFree) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(5, 10_us));
    bench.admit(1_us, grid_of(3, 10_us));
  });
  EXPECT_EQ(times[0].ended, 20_us);
  EXPECT_EQ(times[1].started, 10_us);
  EXPECT_EQ(times[1].ended, 20_us);
}

TEST(BlockScheduler, ASmallBlockFitsBesideLargeOnes) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(8, 10_us));
    bench.admit(1_us, grid_of(4, 10_us, {4, 0, 0, 0}));  // needs no shared memory
  });
  EXPECT_EQ(times[1].started, 1_us);
  EXPECT_EQ(times[1].ended, 11_us);
  EXPECT_EQ(times[0].ended, 20_us);
}

GridRequest with_priority(GridRequest request, std::int32_t priority) {
  request.priority = priority;
  return request;
}

TEST(BlockScheduler, AMoreUrgentGridGetsTheNextRoom) {
  const auto times = run({}, 3, [](Bench& bench) {
    bench.admit(0_us, grid_of(12, 10_us));
    bench.admit(1_us, grid_of(4, 10_us));
    bench.admit(5_us, with_priority(grid_of(4, 10_us), -5));
  });
  // Nothing is preempted: it starts at 10, then the others go on in their order.
  EXPECT_EQ(times[2].started, 10_us);
  EXPECT_EQ(times[2].ended, 20_us);
  EXPECT_EQ(times[0].ended, 40_us);
  EXPECT_EQ(times[1].started, 40_us);
}

TEST(BlockScheduler, GridsOfOnePriorityKeepTheirOrder) {
  const auto times = run({}, 3, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.admit(1_us, with_priority(grid_of(4, 10_us), -1));
    bench.admit(2_us, with_priority(grid_of(4, 10_us), -1));
  });
  EXPECT_EQ(times[1].started, 10_us);
  EXPECT_EQ(times[2].started, 20_us);
}

// Blocks of 10 us, the first 3 of which need nothing.
GridRequest gated_grid(std::uint64_t blocks) {
  GridRequest request = grid_of(blocks, 10_us);
  request.gated = true;
  request.prologue = 3_us;
  return request;
}

TEST(Gate, BlocksWaitAtItUntilTheyAreReleased) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(4));
    bench.release(20_us, 0, 20_us);
  });
  EXPECT_EQ(times[0].ended, 27_us);
}

TEST(Gate, OpensAtTheTimeThatTheReleaseNames) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(4));
    bench.release(20_us, 0, 22_us);
  });
  EXPECT_EQ(times[0].ended, 29_us);
}

TEST(Gate, OpenBeforeTheEndOfThePrologueHoldsNobodyUp) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(4));
    bench.release(1_us, 0, 2_us);
  });
  EXPECT_EQ(times[0].ended, 10_us);
}

TEST(Gate, BlocksThatWaitAtItKeepTheirRoom) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, gated_grid(5));
    bench.release(20_us, 0, 20_us);
  });
  // Four end at 27; the fifth starts then and finds the gate open.
  EXPECT_EQ(times[0].ended, 37_us);
}

TEST(Trigger, ComesWhenTheLastBlockIsThroughItsPrologue) {
  GridRequest request = grid_of(4, 10_us);
  request.triggers = true;
  request.prologue = 3_us;
  EXPECT_EQ(run_one(request).triggered, 3_us);
  EXPECT_EQ(run_one(request, interval_of_1_us()).triggered, 7_us);  // the last leaves until 4
  request.blocks = 5;
  EXPECT_EQ(run_one(request).triggered, 13_us);
}

TEST(Frozen, BlocksGoOnWhereTheyStopped) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.freeze(5_us, 4_us);  // back at 5 after having been out since 1
  });
  EXPECT_EQ(times[0].ended, 14_us);
}

TEST(Frozen, TimeAddsUp) {
  const auto times = run({}, 1, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.freeze(5_us, 4_us);
    bench.freeze(12_us, 3_us);
  });
  EXPECT_EQ(times[0].ended, 17_us);
}

TEST(Frozen, TimeBeforeABlockStartedDoesNotCount) {
  const auto times = run({}, 2, [](Bench& bench) {
    bench.admit(0_us, grid_of(4, 10_us));
    bench.freeze(5_us, 4_us);
    bench.admit(6_us, grid_of(4, 10_us));
  });
  EXPECT_EQ(times[1].started, 14_us);
  EXPECT_EQ(times[1].ended, 24_us);
}

TEST(Frozen, BlocksThatWatchTheClockDoNotMind) {
  GridRequest request = grid_of(4, 10_us);
  request.by_clock = true;
  const auto times = run({}, 1, [&](Bench& bench) {
    bench.admit(0_us, request);
    bench.freeze(5_us, 4_us);
  });
  EXPECT_EQ(times[0].ended, 10_us);
}

}  // namespace
}  // namespace septet::test
