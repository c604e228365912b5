// Works of a GPU of four SMs alone: they begin at given times, and their events come back.
#include "models/gpu/execution/execution.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/simulation.hpp"
#include "models/gpu/gpu_events.hpp"
#include "models/program/builder.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::test {
namespace {

using gpu::Execution;
using gpu::KernelNeeds;
using gpu::Work;
using gpu::WorkKind;

constexpr std::uint16_t kAct = 1000;

// Kernels of 4 blocks, each of which fills an SM: 0 works for 10 us by the clock, 1 for 10 us of
// its own, 2 has 10 us in each recording.
program::Program three_kernels() {
  program::ProgramBuilder builder;
  builder.stream();
  builder.kernel(program::spin_kernel(4, 1024, 10_us));
  program::Kernel own = program::spin_kernel(4, 1024, 10_us);
  std::get<program::FixedBlockWork>(own.work).by_clock = false;
  builder.kernel(own);
  builder.kernel({"recorded", own.shape, program::RecordedWork{}, {}});
  program::Program program = builder.take();
  for (program::Kernel& kernel : program.kernels) kernel.shape.dynamic_shared = 200_KiB;
  return program;
}

gpu::GpuSpec four_sms() {
  gpu::GpuSpec gpu;
  gpu.name = "made";
  gpu.sm_count = 4;
  gpu.sm = testing::h200_sm();
  gpu.copy.host_to_device_latency = 3_us;
  gpu.copy.host_to_device = 1_GBps;
  return gpu;
}

struct Times {
  Duration started{-1}, ended{-1};
};

class Bench : public engine::LogicalProcess {
 public:
  explicit Bench(bool recorded_share)
      : setup_{program_, gpu_, needs_, recorded_share}, execution_(setup_, 0, {}, 1) {}

  // Returns the work's number.
  std::uint32_t begin(const gpu::Work& work, Duration delay) {
    const std::uint32_t id = execution_.add(work);
    act(0_us, [=, this](engine::Context& context) { execution_.begin(id, delay, context); });
    return id;
  }
  void act(Duration at, std::function<void(engine::Context&)> action) {
    actions_.emplace_back(at, std::move(action));
  }
  gpu::Execution& execution() { return execution_; }
  Times times(std::uint32_t work) const { return times_.at(work); }

  void start(engine::Context& context) override {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      context.schedule(actions_[i].first, {kAct, 0, i, 0, engine::Phase::kDefault});
    }
  }
  void handle(const engine::Event& event, engine::Context& context) override {
    const auto work = static_cast<std::uint32_t>(event.a);
    switch (event.kind) {
      case kAct:
        return actions_[event.a].second(context);
      case gpu::events::kStartWork:
        return execution_.start(work, context);
      case gpu::events::kEndWork:
        return ended(work, context);
      case gpu::events::kCohortEnd:
        return ended(execution_.grids(0).cohort_ended(event, context).ended, context);
      case gpu::events::kSharedDue:
        return ended(execution_.grids(0).shared_due(event.b, context), context);
      default:
        return;
    }
  }

 private:
  void ended(std::uint32_t work, engine::Context& context) {
    if (work == kNone) return;
    times_[work] = {execution_[work].start - Instant(), context.now() - Instant()};
  }

  const program::Program program_ = three_kernels();
  const gpu::GpuSpec gpu_ = four_sms();
  const gpu::KernelNeeds needs_{program_, gpu_.sm, false};
  const gpu::Execution::Setup setup_;
  gpu::Execution execution_;
  std::vector<std::pair<Duration, std::function<void(engine::Context&)>>> actions_;
  std::map<std::uint32_t, Times> times_;
};

// Begins the works together at 1 us and runs them to their ends.
std::vector<Times> run(
    const std::vector<gpu::Work>& works, bool recorded_share = false,
    const std::function<void(Bench&)>& prepare = [](Bench&) {}) {
  auto owned = std::make_unique<Bench>(recorded_share);
  Bench& bench = *owned;
  std::vector<std::uint32_t> ids;
  for (const gpu::Work& work : works) ids.push_back(bench.begin(work, 1_us));
  prepare(bench);
  engine::Simulation simulation;
  simulation.add(std::move(owned), 0);
  simulation.run();
  std::vector<Times> times;
  for (const std::uint32_t id : ids) times.push_back(bench.times(id));
  return times;
}

gpu::Work kernel(std::uint32_t kernel) {
  gpu::Work work;
  work.object = kernel;
  return work;
}

gpu::Work recorded() {
  gpu::Work work = kernel(2);
  work.timed = true;
  work.duration = 10_us;
  return work;
}

TEST(Execution, ARecordedKernelKeepsItsDurationAndTakesNoRoom) {
  const std::vector<Times> times = run({recorded(), recorded()});
  for (const Times& of : times) {
    EXPECT_EQ(of.started, 1_us);
    EXPECT_EQ(of.ended, 11_us);
  }
}

TEST(Execution, RecordedKernelsThatShareTakeRoom) {
  const std::vector<Times> times = run({recorded(), recorded()}, true);
  EXPECT_EQ(times[0].ended, 11_us);
  EXPECT_EQ(times[1].started, 11_us) << "the first one fills the SMs";
  EXPECT_EQ(times[1].ended, 21_us);
}

TEST(Execution, BlocksOfAKernelWaitForThoseBeforeThem) {
  const std::vector<Times> times = run({kernel(0), kernel(1)});
  EXPECT_EQ(times[0].started, 1_us);
  EXPECT_EQ(times[0].ended, 11_us);
  EXPECT_EQ(times[1].started, 11_us);
  EXPECT_EQ(times[1].ended, 21_us);
}

TEST(Execution, CopiesOfADirectionFollowEachOther) {
  gpu::Work copy;
  copy.kind = WorkKind::kCopy;
  copy.bytes = Bytes(2000);  // 3 us and 2 us
  const std::vector<Times> times = run({copy, copy});
  EXPECT_EQ(times[0].ended, 6_us);
  EXPECT_EQ(times[1].started, 6_us);
  EXPECT_EQ(times[1].ended, 11_us);
}

TEST(Execution, TheBodyOfAGatedKernelWaitsForItsRelease) {
  gpu::Work gated = kernel(0);
  gated.gated = true;
  const auto release_at = [](Duration at) {
    return [at](Bench& bench) {
      bench.act(at, [&bench](engine::Context& context) {
        bench.execution().release(0, context.now() + 2_us, context);
      });
    };
  };
  EXPECT_EQ(run({gated}, false, release_at(30_us))[0].ended, 42_us);
  EXPECT_EQ(run({gated}, false, release_at(0_us))[0].ended, 12_us) << "before it has started";
}

TEST(Execution, NothingProgressesWhileTheProcessIsOut) {
  const auto out_from_3_to_8 = [](Bench& bench) {
    bench.act(3_us, [&bench](engine::Context& context) {
      bench.execution().grids(0).suspend(context.now());
    });
    bench.act(8_us, [&bench](engine::Context& context) {
      bench.execution().grids(0).resume(5_us, context);
    });
  };
  EXPECT_EQ(run({kernel(1)}, false, out_from_3_to_8)[0].ended, 16_us);
  EXPECT_EQ(run({recorded()}, true, out_from_3_to_8)[0].ended, 16_us);
}

TEST(Execution, ResidentBlocksAreThoseOfAllItsGrids) {
  std::uint64_t resident = 0;
  run({kernel(0)}, false, [&](Bench& bench) {
    EXPECT_EQ(bench.execution().grids(0).resident_blocks(), 0U);
    bench.act(5_us,
              [&](engine::Context&) { resident = bench.execution().grids(0).resident_blocks(); });
  });
  EXPECT_EQ(resident, 4U);
}

}  // namespace
}  // namespace septet::test
