// Many ranks: the same result for any number of threads, and whether or not ranks share their
// calls.
#include <gtest/gtest.h>

#include "tests/support/random_ranks.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec four_nodes() {
  system::SystemSpec system = round_system();
  system.network.gpus_per_node = kPerNode;
  system.network.channels = 2;
  return system;
}

engine::RunResult result_of(const program::Program& program, unsigned threads) {
  engine::RunOptions options;
  options.threads = threads;
  options.partitions = threads == 1 ? 1 : kNodes + 1;
  return run_program(program, four_nodes(), options).result;
}

TEST(Ranks, RunTheSameWithAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const program::Program program = random_ranks(seed);
    const engine::RunResult alone = result_of(program, 1);
    for (const unsigned threads : {2U, 3U, 4U}) {
      const engine::RunResult together = result_of(program, threads);
      EXPECT_EQ(together.digest, alone.digest) << "seed " << seed << ", " << threads << " threads";
      EXPECT_EQ(together.events, alone.events);
      EXPECT_EQ(together.last, alone.last);
    }
  }
}

TEST(Ranks, RunTheSameWithCallsOfTheirOwn) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const program::Program program = random_ranks(seed);
    EXPECT_EQ(result_of(spelled_out(program), 1).digest, result_of(program, 1).digest)
        << "seed " << seed;
  }
}

// One rank that is 100 us late delays the end of all by as much, whoever it is, where a collective
// over all nodes follows one inside its node.
TEST(Ranks, WaitForTheLatest) {
  program::Program program = random_ranks(1);
  program.call_lists[0].clear();
  program.collectives.clear();
  for (const std::uint32_t role : {0U, 1U, 0U}) {
    program::Collective collective;
    collective.communicator = role;
    collective.bytes = 1_MiB;
    program.collectives.push_back(collective);
    const auto index = static_cast<std::uint32_t>(program.collectives.size() - 1);
    program.call_lists[0].push_back({.what = program::JoinCollective{index}});
  }
  const Duration on_time = span_of(program, four_nodes());
  for (const std::uint32_t late : {0U, 7U, 15U}) {
    program::Program delayed = spelled_out(program);
    std::vector<program::Call>& calls = delayed.threads[late].calls;
    calls.insert(calls.begin(), {.what = program::HostWork{100_us}});
    EXPECT_EQ(span_of(delayed, four_nodes()), on_time + 100_us) << "rank " << late;
  }
}

}  // namespace
}  // namespace septet::test
