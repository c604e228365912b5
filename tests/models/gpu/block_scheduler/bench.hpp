// The block scheduler alone: grids arrive at given times, its events come back to it.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/engine/simulation.hpp"
#include "models/gpu/block_scheduler/block_scheduler.hpp"
#include "models/program/kernel.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {

constexpr std::uint16_t kAct = 0;
constexpr std::uint16_t kCohortEnd = 1;
constexpr std::uint16_t kTrigger = 2;

// One block on each SM at a time.
inline gpu::BlockNeeds whole_sm() { return {4, 0, 0, 200 * 1024}; }
// 32 warps: two blocks on each SM.
inline gpu::BlockNeeds half_sm() { return {32, 0, 0, 0}; }

inline gpu::GridRequest grid_of(std::uint64_t blocks, Duration time,
                                const gpu::BlockNeeds& needs = whole_sm()) {
  gpu::GridRequest request;
  request.blocks = blocks;
  request.block_time = time;
  request.needs = needs;
  return request;
}

// Four SMs.
class Bench : public engine::LogicalProcess {
 public:
  explicit Bench(const gpu::BlockSchedulerSpec& spec = {})
      : scheduler_(spec, testing::h200_sm(), 4, {kCohortEnd, kTrigger, 0}) {}

  struct Times {
    Duration started{-1}, ended{-1}, triggered{-1};
  };

  // The grid's number in the order of these calls.
  std::size_t admit(Duration at, const gpu::GridRequest& request) {
    const std::size_t number = times_.size();
    times_.emplace_back();
    act(at, [=, this](engine::Context& context) { admit_now(number, request, context); });
    return number;
  }
  void release(Duration at, std::size_t grid, Duration released) {
    act(at, [=, this](engine::Context& context) {
      scheduler_.release(id_of(grid), Instant() + released, context);
    });
  }
  void freeze(Duration at, Duration lost) {
    act(at, [=, this](engine::Context&) { scheduler_.add_frozen(lost); });
  }

  const Times& times(std::size_t grid) const { return times_[grid]; }

  void start(engine::Context& context) override {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      context.schedule(actions_[i].first, {kAct, 0, i, 0, engine::Phase::kDefault});
    }
  }
  void handle(const engine::Event& event, engine::Context& context) override {
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
  using Action = std::function<void(engine::Context&)>;

  void act(Duration at, Action action) { actions_.emplace_back(at, std::move(action)); }

  // Events of a grid that is admitted may not come before its id is known.
  void admit_now(std::size_t number, const gpu::GridRequest& request, engine::Context& context) {
    const gpu::GridId id = scheduler_.admit(request, context);
    if (id >= number_.size()) number_.resize(id + 1);
    number_[id] = number;
  }
  gpu::GridId id_of(std::size_t grid) const {
    for (gpu::GridId id = 0; id < number_.size(); ++id) {
      if (number_[id] == grid) return id;
    }
    throw std::runtime_error("the grid was not admitted");
  }

  gpu::BlockScheduler scheduler_;
  std::vector<std::pair<Duration, Action>> actions_;
  std::vector<std::size_t> number_;  // by id of the block scheduler
  std::vector<Times> times_;
};

// Runs what `prepare` arranges and returns the times of its grids.
inline std::vector<Bench::Times> run(const gpu::BlockSchedulerSpec& spec, std::size_t grids,
                                     const std::function<void(Bench&)>& prepare) {
  auto owned = std::make_unique<Bench>(spec);
  Bench& bench = *owned;
  prepare(bench);
  engine::Simulation simulation;
  simulation.add(std::move(owned), 0);
  simulation.run();
  std::vector<Bench::Times> times;
  for (std::size_t g = 0; g < grids; ++g) times.push_back(bench.times(g));
  return times;
}

inline Bench::Times run_one(const gpu::GridRequest& request,
                            const gpu::BlockSchedulerSpec& spec = {}) {
  return run(spec, 1, [&](Bench& bench) { bench.admit(0_us, request); }).front();
}

}  // namespace septet::test
