// Nodes with GPUs of different kinds.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Two nodes of a GPU each. The second one's GPU has two SMs instead of four, and a launch there
// takes 3 us longer; its host takes twice as long for a launch.
system::SystemSpec two_kinds() {
  system::SystemSpec system = round_system();
  system.network.gpus_per_node = 1;
  host::OtherGpus other{
      .first = 1, .count = 1, .gpu = system.gpu, .host = system.host, .where = {}};
  other.gpu.name = "other";
  other.gpu.sm_count = 2;
  other.gpu.front_end.launch_latency = 5_us;
  other.host.launch_cost = 8_us;
  system.others.push_back(other);
  return system;
}

// On each GPU a kernel of eight blocks of 1,024 threads: two on each SM at a time.
program::Program kernel_on_each() {
  program::ProgramBuilder builder;
  builder.kernel(program::spin_kernel(8, 1024, 10_us));
  for (std::uint32_t d = 0; d < 2; ++d) {
    builder.stream(0, d, d);
    builder.thread(d);
    builder.launch(0, d);
  }
  return builder.take();
}

TEST(Kinds, HaveTheTimesOfTheirOwnHardware) {
  const TimedRun run(kernel_on_each(), two_kinds());
  EXPECT_EQ(run.start(0), 4_us + 1_us + 2_us);
  EXPECT_EQ(run.end(0), 7_us + 10_us);  // one wave
  EXPECT_EQ(run.start(1), 8_us + 1_us + 5_us);
  EXPECT_EQ(run.end(1), 14_us + 20_us);  // two waves
}

TEST(Kinds, AreOneInEachNode) {
  system::SystemSpec system = two_kinds();
  system.network.gpus_per_node = 2;
  system.others[0].where = Location{"test.toml", 6, 1};
  system.gpu.name = "usual";
  const program::Program program = kernel_on_each();
  EXPECT_EQ(error_of<ConfigError>([&] { system::System(program, system); }),
            "test.toml:6:1: hardware.other.0: node 0 has GPU 0 of kind usual and GPU 1 of kind "
            "other; wanted GPUs of one kind");
}

TEST(Kinds, AreOneInEachProcess) {
  system::SystemSpec system = two_kinds();
  system.gpu.name = "usual";
  program::ProgramBuilder builder;
  for (std::uint32_t d = 0; d < 2; ++d) builder.stream(0, 0, d);
  builder.thread();
  const program::Program program = builder.take();
  EXPECT_EQ(error_of<ConfigError>([&] { system::System(program, system); }),
            "hardware.other.0: process 0 has GPU 0 of kind usual and GPU 1 of kind other; wanted "
            "GPUs of one kind");
}

// A block with 200 KiB of shared memory, which the other GPU's SMs do not have.
TEST(Kinds, NeedNotHoldKernelsOfOthers) {
  system::SystemSpec system = two_kinds();
  system.others[0].gpu.sm.shared_per_block_max = 100_KiB;
  program::Kernel large = program::spin_kernel(1, 32, 10_us);
  large.shape.dynamic_shared = 200_KiB;
  const auto program_on = [&](std::uint32_t device) {
    program::ProgramBuilder builder;
    builder.kernel(large);
    builder.stream(0, device, device);
    builder.stream(0, 1 - device, 1 - device);
    builder.thread(device);
    builder.launch(0, 0);
    return builder.take();
  };
  EXPECT_EQ(TimedRun(program_on(0), system).end(0), 7_us + 10_us);
  const std::string error = error_of<ModelError>([&] { run_program(program_on(1), system, {}); });
  EXPECT_EQ(error.substr(0, 15), "gpu[1] (other):");
}

}  // namespace
}  // namespace septet::test
