// GPUs state when they send to other nodes at the earliest, which lets nodes run ahead of one
// another: fewer windows, the same results.
#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

system::SystemSpec cluster(std::uint32_t gpus_per_node) {
  system::SystemSpec system = round_system();
  system.network.gpus_per_node = gpus_per_node;
  system.gpu.front_end.triggered_stream_gap = 1_us;
  system.gpu.copy.host_to_device = 50_GBps;
  system.network.channels = 1;  // the collectives of all streams fit on the SMs
  return system;
}

// Without rows, which would shorten windows.
engine::RunResult run(const program::Program& program, const system::SystemSpec& spec,
                      unsigned threads, unsigned partitions) {
  system::System system(program, spec);
  return system.run({.threads = threads, .partitions = partitions});
}

void launch(program::Program& program, std::uint32_t thread, std::uint32_t stream, Duration time) {
  program::Call& call = append(program, program::CallKind::kLaunchKernel, 0, thread);
  call.stream = stream;
  time_in(call) = time;
}

// Two nodes of one GPU: a hundred kernels of 10 us each, then an all-reduce over both.
program::Program hundred_kernels(bool second_thread) {
  program::ProgramBuilder builder;
  builder.kernel({"kernel", {}, program::RecordedWork{}, {}});
  program::Collective collective;
  collective.communicator = builder.communicator({0, 1});
  collective.bytes = 1_MiB;
  builder.collective(collective);
  for (std::uint32_t d = 0; d < 2; ++d) {
    builder.stream(0, d, d);
    builder.thread(d);
  }
  for (std::uint32_t d = 0; second_thread && d < 2; ++d) builder.thread(d);
  program::Program program = builder.take();
  for (std::uint32_t d = 0; d < 2; ++d) {
    for (int n = 0; n < 100; ++n) launch(program, d, d, 10_us);
    append(program, program::CallKind::kCollective, 0, d).stream = d;
  }
  return program;
}

TEST(DynamicLookahead, LetsNodesRunAheadUntilTheyMeet) {
  // The kernels take 100 * 11 us; without dynamic lookahead a window is no longer than half the 15
  // us in which an all-reduce starts up: more than 100 windows. With it one reaches to the last
  // kernels, and only what comes after is taken in small steps.
  EXPECT_LT(run(hundred_kernels(false), cluster(1), 2, 0).windows, 10U);
  // Where two threads use a GPU, which of them does what when is not known.
  EXPECT_GT(run(hundred_kernels(true), cluster(1), 2, 0).windows, 100U);
}

// Random steps of a cluster: kernels, copies, events, synchronisations, and collectives inside and
// between nodes, which all ranks call in the same order, so that nothing hangs.
class RandomCluster {
 public:
  explicit RandomCluster(std::uint64_t seed)
      : random_(RandomKey{.seed = seed}),
        per_node_(1 + below(3)),
        devices_(per_node_ * (2 + below(3))),
        streams_(1 + below(3)),
        per_process_(below(3) == 0 ? per_node_ : 1) {
    add_devices();
    add_groups();
    const std::uint32_t steps = 100 + below(200);
    for (std::uint32_t s = 0; s < steps; ++s) step();
  }

  const program::Program& program() const { return program_; }
  system::SystemSpec system() const { return cluster(per_node_); }

 private:
  std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>(random_.below(bound));
  }
  Duration time() { return Duration(static_cast<std::int64_t>(random_.below(100'000'000))); }
  std::uint32_t stream(std::uint32_t device) { return device * streams_ + below(streams_); }
  // The process, and its thread, that a device belongs to.
  std::uint32_t thread_of(std::uint32_t device) const { return device / per_process_; }

  // A process for each device or each node; some have a second thread.
  void add_devices() {
    program::ProgramBuilder builder;
    builder.kernel({"recorded", {}, program::RecordedWork{}, {}});
    builder.kernel(program::spin_kernel(4, 64, 3_us));
    for (std::uint32_t d = 0; d < devices_; ++d) {
      for (std::uint32_t s = 0; s < streams_; ++s) builder.stream(0, thread_of(d), d);
      for (std::uint32_t e = 0; e < kEvents; ++e) builder.event();
    }
    const std::uint32_t processes = devices_ / per_process_;
    for (std::uint32_t p = 0; p < processes; ++p) builder.thread(p);
    for (std::uint32_t p = 0; p < processes; ++p) {
      if (below(8) == 0) builder.thread(p);
    }
    program_ = builder.take();
    for (std::size_t t = processes; t < program_.threads.size(); ++t) {
      work(static_cast<std::uint32_t>(t));
    }
  }

  // Each group has a stream of its own number on all its devices.
  void add_groups() {
    const std::uint32_t groups = 1 + below(5);
    for (std::uint32_t g = 0; g < groups; ++g) {
      program::Communicator& group = program_.communicators.emplace_back();
      const bool inside = below(2) == 0 && per_node_ > 1;
      const std::uint32_t first = inside ? per_node_ * below(devices_ / per_node_) : 0;
      const std::uint32_t all = inside ? per_node_ : devices_;
      for (std::uint32_t d = first; d < first + all; ++d) {
        if (below(4) != 0) group.devices.push_back(d);
      }
      if (group.devices.size() < 2) group.devices = {first, first + all - 1};
      group_stream_.push_back(below(streams_));
      program::Collective& collective = program_.collectives.emplace_back();
      collective.communicator = g;
      collective.bytes = Bytes(1 << below(24));
    }
  }

  void step() {
    const std::uint32_t device = below(devices_);
    const std::uint32_t thread = thread_of(device);
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        for (std::uint32_t n = below(6); n > 0; --n) {
          launch(program_, thread, stream(device), time());
          program::as<program::LaunchKernel>(program_.threads[thread].calls.back()).programmatic =
              below(6) == 0;
        }
        return;
      case 3:
        append(program_, program::CallKind::kLaunchKernel, 1, thread).stream = stream(device);
        return;
      case 4:
        append(program_, program::CallKind::kCopy, kNone, thread).stream = stream(device);
        program::as<program::Copy>(program_.threads[thread].calls.back()).bytes =
            Bytes(1 << below(20));
        return;
      case 5:
        append(program_, program::CallKind::kRecordEvent, event(thread), thread).stream =
            stream(device);
        return;
      case 6:
        append(program_, program::CallKind::kWaitEvent, event(thread), thread).stream =
            stream(device);
        return;
      case 7:
        return synchronize(device);
      default:
        return join(below(program_.collectives.size()));
    }
  }

  // Those of a thread are shared by its devices.
  std::uint32_t event(std::uint32_t thread) { return thread * kEvents + below(kEvents); }

  void synchronize(std::uint32_t device) {
    const std::uint32_t what = below(12);
    const std::uint32_t thread = thread_of(device);
    if (what == 0) append(program_, program::CallKind::kSynchronizeDevice, device, thread);
    if (what == 1) append(program_, program::CallKind::kSynchronizeEvent, event(thread), thread);
    if (what == 2) {
      append(program_, program::CallKind::kSynchronizeStream, kNone, thread).stream =
          stream(device);
    }
    if (what == 3) work(thread);
  }

  void work(std::uint32_t thread) {
    program_.threads[thread].calls.push_back({.what = program::HostWork{time()}});
  }

  void join(std::uint32_t collective) {
    const std::uint32_t group = program_.collectives[collective].communicator;
    for (const std::uint32_t device : program_.communicators[group].devices) {
      const std::uint32_t stream = device * streams_ + group_stream_[group];
      append(program_, program::CallKind::kCollective, collective, thread_of(device)).stream =
          stream;
    }
  }

  static constexpr std::uint32_t kEvents = 3;

  RandomStream random_;
  const std::uint32_t per_node_;
  const std::uint32_t devices_;
  const std::uint32_t streams_;  // of each device
  const std::uint32_t per_process_;
  std::vector<std::uint32_t> group_stream_;
  program::Program program_;
};

TEST(DynamicLookahead, ChangesNoResultOfAnyCluster) {
  std::uint64_t collectives = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomCluster random(seed);
    for (const program::HostThread& thread : random.program().threads) {
      for (const program::Call& call : thread.calls)
        collectives += call.kind() == program::CallKind::kCollective;
    }
    const engine::RunResult alone = run(random.program(), random.system(), 1, 1);
    for (const unsigned threads : {1U, 2U}) {
      for (const unsigned partitions : {2U, 3U, 50U}) {
        const engine::RunResult split = run(random.program(), random.system(), threads, partitions);
        ASSERT_EQ(split.digest, alone.digest) << "seed " << seed;
        ASSERT_EQ(split.events, alone.events);
      }
    }
  }
  EXPECT_GT(collectives, 1000U);
}

}  // namespace
}  // namespace septet::test
