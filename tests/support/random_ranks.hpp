// Random programs of many ranks on four nodes of four GPUs.
#pragma once

#include <cstdint>

#include "core/base/random.hpp"
#include "models/program/builder.hpp"

namespace septet::test {

inline constexpr std::uint32_t kNodes = 4;
inline constexpr std::uint32_t kPerNode = 4;
inline constexpr std::uint32_t kRanks = kNodes * kPerNode;

// Kernels and collectives inside nodes (thread communicator 0) and across them (1) on two streams,
// tied by events, in an order drawn from `seed`. Ranks share one list of calls.
inline program::Program random_ranks(std::uint64_t seed) {
  RandomStream random(RandomKey{seed, 0, 0});
  program::Program program;
  program.devices = program.processes = kRanks;
  program.events = kRanks;
  program.kernels.push_back(program::spin_kernel(8, 256, 20_us));
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    program::Communicator& inside = program.communicators.emplace_back();
    for (std::uint32_t r = 0; r < kPerNode; ++r) inside.devices.push_back(node * kPerNode + r);
  }
  for (std::uint32_t r = 0; r < kPerNode; ++r) {
    program::Communicator& across = program.communicators.emplace_back();
    for (std::uint32_t n = 0; n < kNodes; ++n) across.devices.push_back(n * kPerNode + r);
  }
  std::vector<program::Call>& calls = program.call_lists.emplace_back();
  const auto add = [&](const auto& what, std::uint32_t stream) {
    calls.push_back({.what = what, .stream = stream});
  };
  for (int i = 0; i < 60; ++i) {
    const auto stream = static_cast<std::uint32_t>(random.below(2));
    switch (random.below(4)) {
      case 0: {
        // A communicator belongs to one stream, so that its calls start in one order on all ranks.
        program::Collective collective;
        collective.communicator = stream;
        collective.op = static_cast<program::CollectiveOp>(random.below(5));
        collective.bytes = Bytes(static_cast<std::int64_t>(random.below(10'000'000)));
        program.collectives.push_back(collective);
        add(program::JoinCollective{static_cast<std::uint32_t>(program.collectives.size() - 1)},
            stream);
        break;
      }
      case 1:
        add(program::RecordEvent{0}, stream);
        add(program::WaitEvent{0}, 1 - stream);
        break;
      default:
        add(program::LaunchKernel{0}, stream);
    }
  }
  add(program::SynchronizeDevice{0}, 0);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    program::Stream stream;
    stream.device = stream.process = rank;
    program.streams.push_back(stream);
    program.streams.push_back(stream);
    program::HostThread& thread = program.threads.emplace_back();
    thread.process = rank;
    thread.list = 0;
    thread.offsets = {2 * rank, rank, rank, {rank / kPerNode, kNodes + rank % kPerNode}};
  }
  return program;
}

}  // namespace septet::test
