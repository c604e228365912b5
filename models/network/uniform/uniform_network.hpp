// The simplest model of collectives: equal nodes of GPUs on a switch, each GPU with its own NIC on
// a network that is never the limit.
//
// Each collective takes steps * latency to start up and bytes / rate for the data sent by the
// busiest GPU (Hockney's alpha-beta model with the step counts of Thakur et al., "Optimization of
// collective communication operations in MPICH", 2005). A group that spans nodes forms rings which
// leave each node once for each of its ranks there, through their own NICs; a rank that sends to
// the next one has its own NIC alone. With n ranks:
//
//   all-reduce           ring      2 (n - 1) steps    2 (n - 1) / n of the buffer
//   all-gather, r.-sc.   ring        (n - 1) steps      (n - 1) / n
//   broadcast            ring        (n - 1) steps      the buffer, pipelined
//   all-to-all           direct            1 step       (n - 1) / n
//   send and receive     direct            1 step       the buffer
//
// Ignored: trees, reduction in switches, congestion inside the network. Any other requested
// algorithm is rejected, and so is any protocol but Simple.
#pragma once

#include <cstdint>

#include "models/network/collective/collective_model.hpp"

namespace septet::network {

struct NetworkSpec {
  std::uint32_t gpus_per_node = 8;
  ByteRate link{450e9};              // of a GPU to its switch, each way: NVLink 4 data sheet
  Duration link_latency{1'000'000};  // of one step inside a node, flags and copy included
  ByteRate nic{50e9};                // of a GPU's NIC, each way: 400 Gb/s
  Duration nic_latency{5'000'000};   // of one step from node to node
  Duration startup{5'000'000};       // of every collective, before its first step
  std::uint32_t channels = 16;       // blocks of a collective's kernel, one SM each
  std::uint32_t peer_channels = 2;   // of a send or receive
};

class UniformNetwork : public CollectiveModel {
 public:
  // `gpus` in all. Throws ConfigError where a rate or a count is zero.
  UniformNetwork(const NetworkSpec& spec, std::uint32_t gpus);

  CollectivePlan plan(const CollectiveRequest& request) const override;
  std::uint32_t link_count() const override;
  // The link from a GPU to its switch.
  static std::uint32_t link_out_of(std::uint32_t gpu);
  // Whose link it is.
  static std::uint32_t gpu_of(std::uint32_t link);
  ByteRate link_rate(std::uint32_t link) const override;
  std::uint32_t gpu_count() const override { return gpus_; }
  std::uint32_t node_of(std::uint32_t gpu) const override { return gpu / spec_.gpus_per_node; }

 private:
  NetworkSpec spec_;
  std::uint32_t gpus_;
};

}  // namespace septet::network
