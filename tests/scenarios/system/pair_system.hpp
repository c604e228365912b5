// Ranks that call collectives, on nodes of two GPUs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/timed_run.hpp"

namespace septet::test {

// The round system with nodes of two GPUs joined by 100 GB/s; an all-reduce of a pair starts up in
// 4 + 2 * 1 us. A collective called at 0 is on its SMs at 7 us: 4 launch, 1 doorbell, 2 start.
inline system::SystemSpec pair_system() {
  system::SystemSpec system = round_system();
  system.network.gpus_per_node = 2;
  system.network.link = 100_GBps;
  system.network.link_latency = 1_us;
  system.network.nic = 50_GBps;
  system.network.nic_latency = 3_us;
  system.network.startup = 4_us;
  system.network.channels = 1;
  system.network.peer_channels = 1;
  return system;
}

// `devices` GPUs with a process, a thread and a stream each, of the same number.
struct Ranks {
  program::ProgramBuilder builder;
  program::Program program;

  explicit Ranks(std::uint32_t devices) {
    for (std::uint32_t d = 0; d < devices; ++d) {
      builder.stream(0, d, d);
      builder.thread(d, "rank");
    }
    program = builder.take();
  }
  std::uint32_t group(std::vector<std::uint32_t> devices, const std::string& name = "group") {
    program.communicators.push_back({name, std::move(devices)});
    return static_cast<std::uint32_t>(program.communicators.size() - 1);
  }
  std::uint32_t collective(std::uint32_t communicator, program::CollectiveOp op, Bytes bytes,
                           std::uint32_t peer = 0) {
    program::Collective one;
    one.communicator = communicator;
    one.op = op;
    one.bytes = bytes;
    one.peer = peer;
    program.collectives.push_back(one);
    return static_cast<std::uint32_t>(program.collectives.size() - 1);
  }
  void work(std::uint32_t rank, Duration time) {
    program.threads.at(rank).calls.push_back({.what = program::HostWork{time}});
  }
  void join(std::uint32_t rank, std::uint32_t collective) { join(rank, collective, rank); }
  void join(std::uint32_t rank, std::uint32_t collective, std::uint32_t stream) {
    append(program, program::CallKind::kCollective, collective, rank).stream = stream;
  }
};

}  // namespace septet::test
