// Each shipped scenario shows what its comment says. Expected times are worked out from the
// kernels' own times and the shape of the work; what launches, gaps and waits add is bounded by the
// numbers of the H200 profile, generously, since those are fitted anew now and then.
#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "scenarios/analysis/attribution.hpp"
#include "scenarios/analysis/run_rows.hpp"
#include "tests/scenarios/shipped/testing.hpp"

namespace septet {
namespace {

class Shown {
 public:
  explicit Shown(const std::string& scenario) : variations_(variations_of(scenario)) {}

  analysis::RunRows rows(const std::string& name = kAsWritten) const {
    const auto found = std::find_if(variations_.begin(), variations_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == variations_.end()) throw std::runtime_error("no variation '" + name + "'");
    const system::ProgramRun run = run_of(found->second, 1);
    return analysis::collect_rows(run.rows);
  }
  double us(const std::string& name = kAsWritten) const { return to_us(rows(name).span()); }

 private:
  Variations variations_;
};

// From the issue of a command to its end, of the works on `stream`; the mean.
double latency_us(const analysis::RunRows& rows, std::int32_t stream) {
  double sum = 0;
  int count = 0;
  for (const analysis::GpuWork& work : rows.works) {
    if (work.stream != stream) continue;
    sum += to_us(work.end - work.issued);
    ++count;
  }
  return sum / count;
}

// A small kernel, launched or synchronised, needs no more than this besides its own time.
constexpr double kLaunchUs = 15;

TEST(EagerAndGraphs, DifferByTheLaunchCost) {
  const Shown graphs("graph-chain");
  // 2,000 kernels of 2 us: a launch costs more than the kernel takes, a node's gap less than 1 us.
  const double eager = graphs.us("eager");
  EXPECT_GT(eager, 2000 * 3.0);
  EXPECT_GT(eager / graphs.us("short graph"), 1.2);
  EXPECT_NEAR(Shown("eager-chain").us("longer kernels"), 200 * (10 + 1.4), 0.05 * 2280);
}

TEST(Connections, BindDepthFirstIssueOnly) {
  const Shown streams("streams-hyperq");
  // Three kernels of 1 ms on each of 8 streams: 3 ms where all overlap; over one connection only
  // the last kernel of a stream overlaps the next stream's first: 2 x 8 + 1 = 17 ms.
  EXPECT_NEAR(streams.us(), 3000, 100);
  EXPECT_NEAR(streams.us("depth first, 32 connections"), 3000, 100);
  EXPECT_NEAR(streams.us("depth first, 1 connection"), 17000, 100);
  EXPECT_NEAR(streams.us("breadth first, 1 connection"), 3000, 100);
  EXPECT_NEAR(streams.us("breadth first, 8 connections"), 3000, 100);
}

TEST(ForkJoin, RunsItsBranchesSideBySide) {
  const Shown fork_join("fork-join");
  // Root, three kernels of a branch, join: 5 x 10 us a launch, not 14 x 10; gaps of at most 2 us.
  EXPECT_GT(fork_join.us(), 20 * 50);
  EXPECT_LT(fork_join.us(), 20 * (50 + 5 * 2) + kLaunchUs);
  EXPECT_NEAR(fork_join.us("captured"), fork_join.us(), 0.02 * fork_join.us());
  EXPECT_GT(fork_join.us("eager streams"), fork_join.us());
}

TEST(CopyOverlap, HidesCopiesBehindKernelsUnlessTheyAreStaged) {
  const Shown overlap("copy-overlap");
  // A piece: 16 MiB in and out at 55 GB/s, 305 us each, and 300 us of computing. In one stream all
  // three follow one another, eight times.
  EXPECT_NEAR(overlap.us("one stream"), 8 * (305 + 300 + 305), 0.05 * 7280);
  EXPECT_LT(overlap.us(), 0.75 * overlap.us("one stream"));
  // Four streams: both engines and the SMs are busy all the time; eight pieces of the longest of
  // the three, and the two others once.
  EXPECT_LT(overlap.us("four streams"), 8 * 310 + 2 * 310 + 200);
  // The CPU stages pageable memory at 12 GB/s to the device and 9 GB/s from it: 3 ms for a piece.
  EXPECT_GT(overlap.us("pageable memory"), overlap.us("one stream"));
}

TEST(PersistentQueue, BeatsLaunchesPieceByPiece) {
  const Shown queue("persistent-queue");
  // Each round trip: 3 us of work, and about 2 us instead of about 9.
  EXPECT_NEAR(queue.us(), 100 * (3 + 2), 0.2 * 500);
  EXPECT_GT(queue.us("launches"), 100 * (3 + 6));
  EXPECT_GT(queue.us("launches"), 2 * queue.us());
  // Without waiting the GPU's gap of about 1.5 us is the longer of gap and launch cost less 3 us.
  EXPECT_NEAR(queue.us("launches without waiting"), 100 * (3 + 1.5), 0.15 * 450);
  // A block's loop: 1.2 us to read, 3 us of work, 0.6 us of fence; eight blocks need 13 rounds.
  EXPECT_NEAR(queue.us("all items at once"), 100 * 4.8 + kLaunchUs, 15);
  EXPECT_NEAR(queue.us("all items at once, eight blocks"), 13 * 4.8 + kLaunchUs, 10);
}

TEST(Waves, CountTwiceForOneBlockMore) {
  const Shown waves("waves");
  EXPECT_NEAR(waves.us(), 100, kLaunchUs);
  EXPECT_NEAR(waves.us("one block more"), 200, kLaunchUs);
  EXPECT_NEAR(waves.us("two full waves"), 200, kLaunchUs);
  EXPECT_NEAR(waves.us("more registers"), 200, kLaunchUs);
  // 2,112 blocks fit at once; the other 8 make a second wave of an eighth of the time.
  EXPECT_NEAR(waves.us("smaller blocks"), 25, kLaunchUs);
  // The second kernel's 265 blocks: 263 beside the tail, 2 behind them: 300 us, not 400.
  EXPECT_NEAR(waves.us("the tail is filled"), 300, kLaunchUs);
}

TEST(Processes, ShareSmsUnderMpsAndTakeTurnsWithout) {
  const Shown processes("processes");
  const double alone = processes.us("one process alone");
  EXPECT_NEAR(alone, 100 * 201.5, 0.01 * 20150);
  EXPECT_NEAR(processes.us("MPS"), alone, 0.02 * alone);
  // Twice the work, and a switch of 0.16 ms for every slice of 2.09 ms.
  EXPECT_NEAR(processes.us(), 2 * alone * (1 + 0.16 / 2.09), 0.05 * 2 * alone);
  // 264 blocks fill the GPU: nothing runs side by side. Slices cost their switches, MPS nothing.
  EXPECT_NEAR(processes.us("full GPU, MPS"), 2 * 100 * 200, 0.02 * 40000);
  EXPECT_GT(processes.us("full GPU, taking turns"), processes.us("full GPU, MPS"));
}

TEST(Priorities, LetAnUrgentKernelWaitForOneWaveOnly) {
  const Shown priorities("priorities");
  const std::int32_t urgent = 1;
  // Launched at 150 us, within the second wave of 100 us blocks, it starts when that ends, at 200
  // us and some, and takes 20 us.
  EXPECT_NEAR(latency_us(priorities.rows(), urgent), 50 + 20, kLaunchUs);
  // First in, first out: after the background's last wave has started, the 20th at 1,900 us, its
  // blocks find room when that has ended.
  EXPECT_NEAR(latency_us(priorities.rows("equal priority"), urgent), 1850 + 20, 100 + kLaunchUs);
  EXPECT_NEAR(latency_us(priorities.rows("smaller background blocks"), urgent), 20, 10 + kLaunchUs);
}

TEST(ProgrammaticLaunch, OverlapsThePrologue) {
  const Shown launches("programmatic");
  // Plain: 10 us and the gap. Programmatic: the 2 us of the prologue run beside the kernel before.
  EXPECT_NEAR(launches.us("plain launches"), 200 * (10 + 1.4), 0.05 * 2280);
  EXPECT_NEAR(launches.us(), 200 * (8 + 0.4), 0.05 * 1680);
  EXPECT_NEAR(launches.us("no prologue"), 200 * (10 + 0.4), 0.05 * 2080);
  EXPECT_NEAR(launches.us("plain graph"), 200 * (10 + 0.6), 0.05 * 2120);
  EXPECT_LT(launches.us("programmatic graph"), launches.us());
}

TEST(GreenContexts, KeepRequestsFromWaiting) {
  const Shown contexts("green-contexts");
  const std::int32_t small = 0;
  // On SMs of their own requests take their 20 us and a launch; the step 24 waves instead of 20.
  EXPECT_NEAR(latency_us(contexts.rows(), small), 20, kLaunchUs);
  EXPECT_NEAR(contexts.us(), 2400, 20);
  EXPECT_NEAR(contexts.us("two halves"), 4200, 20);
  EXPECT_NEAR(latency_us(contexts.rows("two halves"), small), 20, kLaunchUs);
  // Shared: the first request waits for the step's last wave, the others come after it.
  EXPECT_GT(latency_us(contexts.rows("shared SMs"), small), 1700 / 10);
  // High priority: each waits for the end of a wave, so up to 100 us.
  const double urgent = latency_us(contexts.rows("shared SMs, high priority"), small);
  EXPECT_GT(urgent, 50);
  EXPECT_LT(urgent, 20 + 100 + kLaunchUs);
}

TEST(DeadlockScenario, FailsOnPurposeAndNamesTheCircle) {
  const Shown deadlock("deadlock");
  EXPECT_THROW(deadlock.rows(), ModelError);
  // Four items of 5 us, and a kernel's launch and end.
  EXPECT_LT(deadlock.us("waits for the items"), 4 * (5 + 3) + kLaunchUs);
}

TEST(FailedRail, CostsLessThanASlowOne) {
  const Shown rails("failed-rail");
  // A ring over eight rails sends an eighth of the gradients over each; a cable at a quarter of its
  // rate takes four times as long for it, a neighbour that takes over a cut one's share twice.
  EXPECT_LT(rails.us(), rails.us("failed rail"));
  EXPECT_LT(rails.us("failed rail"), rails.us("slow rail"));
}

TEST(OversubscribedLeaf, CostsNothingUntilItsCablesAreTheSlowestLink) {
  const Shown leaves("oversubscribed-leaf");
  // Of two nodes under a leaf one sends and one receives across the spines: half of the cables
  // carry what the NICs do.
  EXPECT_DOUBLE_EQ(leaves.us("two to one"), leaves.us());
  EXPECT_GT(leaves.us("eight to one"), leaves.us());
}

// Two ways to the same times: from the rows, and while the GPUs run.
TEST(Collectives, TakeTheSameTimesFromRowsAsFromTheGpusThemselves) {
  for (const char* name : {"late-rank", "ddp-8", "tensor-parallel-8"}) {
    for (const auto& [variation, scenario] : variations_of(name)) {
      const system::ProgramRun run = run_of(scenario, 1);
      const analysis::Attribution rows = analysis::attribute(analysis::collect_rows(run.rows));
      Duration compute{}, moving{}, waiting{}, hidden{};
      for (const system::GpuActivity& gpu : run.gpus) {
        compute += gpu.times.compute();
        moving += gpu.times.exposed();
        waiting += gpu.times.waiting();
        hidden += gpu.times.hidden();
      }
      const std::string where = std::string(name) + ", " + variation;
      EXPECT_EQ(rows.gpus, run.gpus.size()) << where;
      EXPECT_EQ(rows[analysis::TimeCategory::kCompute], compute) << where;
      EXPECT_EQ(rows[analysis::TimeCategory::kCommunication], moving) << where;
      EXPECT_EQ(rows[analysis::TimeCategory::kWaitingForRanks], waiting) << where;
      EXPECT_EQ(rows.hidden, hidden) << where;
      EXPECT_EQ(rows.total(), analysis::collect_rows(run.rows).span() * rows.gpus) << where;
    }
  }
}

TEST(Collectives, NameTheRankThatIsLate) {
  const Variations variations = variations_of("late-rank");
  // The second rank begins 500 us late, as its own work says; what its launch takes is the same.
  const auto late = run_of(variations.at(0).second, 1).gpus;
  EXPECT_NEAR(late.at(1).straggler_wait.seconds * 1e6, 500, 0.1);
  EXPECT_EQ(late.at(0).straggler_wait.collectives, 0U);
  const auto on_time = run_of(variations.at(1).second, 1).gpus;
  EXPECT_LT(on_time.at(1).straggler_wait.seconds * 1e6, 0.1);
}

}  // namespace
}  // namespace septet
