// Random programs of one thread on a few streams: kernels and copies to the device, events,
// synchronisations and work of the CPU's own. Every kernel has a number of blocks and every copy a
// size of its own, so that they can be told apart in any run.
#pragma once

#include <cstdint>
#include <random>

#include "models/program/builder.hpp"

namespace septet::test {

inline program::Program random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  program::ProgramBuilder builder;
  const std::uint32_t streams = 1 + below(4);
  for (std::uint32_t s = 0; s < streams; ++s) builder.stream();
  for (int e = 0; e < 2; ++e) builder.event();
  builder.thread();
  for (std::uint32_t n = 1; n <= 60; ++n) {
    const std::uint32_t stream = below(streams);
    switch (below(10)) {
      case 0:
        builder.copy(stream, program::CopyDirection::kHostToDevice, Bytes(10'000 + n));
        break;
      case 1:
      case 2:
        builder.record(below(2), stream);
        break;
      case 3:
      case 4:
        builder.wait(below(2), stream);
        break;
      case 5:
        builder.work(1_us * below(20));
        break;
      case 6:
        if (below(2) == 0) builder.synchronize_stream(stream);
        break;
      default:
        builder.launch(builder.kernel(program::spin_kernel(n, 32, 1_us * below(40))), stream);
    }
  }
  builder.synchronize_device();
  return builder.take();
}

}  // namespace septet::test
