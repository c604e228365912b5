// Many ranks: the same result for any number of threads, and whether or not ranks share their
// calls.
#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

constexpr std::uint32_t kNodes = 4;
constexpr std::uint32_t kPerNode = 4;
constexpr std::uint32_t kRanks = kNodes * kPerNode;

SystemSpec four_nodes() {
  SystemSpec system = round_system();
  system.network.gpus_per_node = kPerNode;
  system.network.channels = 2;
  return system;
}

// Kernels and collectives inside nodes (thread communicator 0) and across them (1) on two streams,
// tied by events, in an order drawn from `seed`. Ranks share one list of calls.
Program random_ranks(std::uint64_t seed) {
  RandomStream random(RandomKey{seed, 0, 0});
  Program program;
  program.devices = program.processes = kRanks;
  program.events = kRanks;
  program.kernels.push_back(spin_kernel(8, 256, 20_us));
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    Communicator& inside = program.communicators.emplace_back();
    for (std::uint32_t r = 0; r < kPerNode; ++r) inside.devices.push_back(node * kPerNode + r);
  }
  for (std::uint32_t r = 0; r < kPerNode; ++r) {
    Communicator& across = program.communicators.emplace_back();
    for (std::uint32_t n = 0; n < kNodes; ++n) across.devices.push_back(n * kPerNode + r);
  }
  std::vector<Call>& calls = program.call_lists.emplace_back();
  const auto add = [&](CallKind kind, std::uint32_t object, std::uint32_t stream) {
    Call call;
    call.kind = kind;
    call.object = object;
    call.stream = stream;
    calls.push_back(call);
  };
  for (int i = 0; i < 60; ++i) {
    const auto stream = static_cast<std::uint32_t>(random.below(2));
    switch (random.below(4)) {
      case 0: {
        // A communicator belongs to one stream, so that its calls start in one order on all ranks.
        Collective collective;
        collective.communicator = stream;
        collective.op = static_cast<CollectiveOp>(random.below(5));
        collective.bytes = Bytes(static_cast<std::int64_t>(random.below(10'000'000)));
        program.collectives.push_back(collective);
        add(CallKind::kCollective, static_cast<std::uint32_t>(program.collectives.size() - 1),
            stream);
        break;
      }
      case 1:
        add(CallKind::kRecordEvent, 0, stream);
        add(CallKind::kWaitEvent, 0, 1 - stream);
        break;
      default:
        add(CallKind::kLaunchKernel, 0, stream);
    }
  }
  add(CallKind::kSynchronizeDevice, 0, 0);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    Stream stream;
    stream.device = stream.process = rank;
    program.streams.push_back(stream);
    program.streams.push_back(stream);
    HostThread& thread = program.threads.emplace_back();
    thread.process = rank;
    thread.list = 0;
    thread.offsets = {2 * rank, rank, rank, {rank / kPerNode, kNodes + rank % kPerNode}};
  }
  return program;
}

RunResult result_of(const Program& program, unsigned threads) {
  RunOptions options;
  options.threads = threads;
  options.partitions = threads == 1 ? 1 : kNodes + 1;
  return run_program(program, four_nodes(), options).result;
}

TEST(Ranks, RunTheSameWithAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Program program = random_ranks(seed);
    const RunResult alone = result_of(program, 1);
    for (const unsigned threads : {2U, 3U, 4U}) {
      const RunResult together = result_of(program, threads);
      EXPECT_EQ(together.digest, alone.digest) << "seed " << seed << ", " << threads << " threads";
      EXPECT_EQ(together.events, alone.events);
      EXPECT_EQ(together.last, alone.last);
    }
  }
}

TEST(Ranks, RunTheSameWithCallsOfTheirOwn) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Program program = random_ranks(seed);
    EXPECT_EQ(result_of(spelled_out(program), 1).digest, result_of(program, 1).digest)
        << "seed " << seed;
  }
}

// One rank that is 100 us late delays the end of all by as much, whoever it is, where a collective
// over all nodes follows one inside its node.
TEST(Ranks, WaitForTheLatest) {
  Program program = random_ranks(1);
  program.call_lists[0].clear();
  program.collectives.clear();
  for (const std::uint32_t role : {0U, 1U, 0U}) {
    Collective collective;
    collective.communicator = role;
    collective.bytes = 1_MiB;
    program.collectives.push_back(collective);
    Call call;
    call.kind = CallKind::kCollective;
    call.object = static_cast<std::uint32_t>(program.collectives.size() - 1);
    program.call_lists[0].push_back(call);
  }
  const Duration on_time = span_of(program, four_nodes());
  for (const std::uint32_t late : {0U, 7U, 15U}) {
    Program delayed = spelled_out(program);
    Call work;
    work.kind = CallKind::kHostWork;
    work.work = 100_us;
    std::vector<Call>& calls = delayed.threads[late].calls;
    calls.insert(calls.begin(), work);
    EXPECT_EQ(span_of(delayed, four_nodes()), on_time + 100_us) << "rank " << late;
  }
}

}  // namespace
}  // namespace septet::test
