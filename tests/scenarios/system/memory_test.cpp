// What a GPU that has nothing to do takes of the simulating machine's memory.
#include <gtest/gtest.h>
#include <malloc.h>

#include "models/gpu/gpu.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kOwnAllocator = true;
#else
constexpr bool kOwnAllocator = false;
#endif

std::size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// A process, a thread and four streams for each of so many GPUs, and nothing to do for any.
program::Program idle_gpus(std::uint32_t gpus) {
  program::ProgramBuilder builder;
  for (std::uint32_t d = 0; d < gpus; ++d) {
    for (int s = 0; s < 4; ++s) builder.stream(0, d, d);
    builder.thread(d);
  }
  return builder.take();
}

TEST(Memory, OfAnIdleGpuIsAtMostFourKibibytes) {
  if (kOwnAllocator) GTEST_SKIP() << "a sanitizer's allocator does not tell";
  constexpr std::uint32_t kGpus = 2000;
  const program::Program program = idle_gpus(kGpus);
  const system::SystemSpec spec = round_system();
  const std::size_t before = bytes_in_use();
  system::System system(program, spec);
  const std::size_t built = bytes_in_use() - before;
  EXPECT_LE(built / kGpus, 4096U);
  EXPECT_GE(built / kGpus, sizeof(gpu::Gpu));  // or nothing was counted
  system.run({});
  EXPECT_LE((bytes_in_use() - before) / kGpus, 4096U);
}

}  // namespace
}  // namespace septet::test
