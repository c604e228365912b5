// Networks that several tests use.
#pragma once

#include "models/network/topology/shapes.hpp"

namespace septet::network {

inline constexpr LinkSpec kPlainLink{.rate = ByteRate(50e9), .latency = Duration(500'000)};

inline Topology ring_of(std::uint32_t gpus) {
  return plain({{.shape = PlainShape::kRing, .extent = gpus, .link = kPlainLink}}).build();
}

inline Topology switch_of(std::uint32_t gpus) {
  return plain({{.shape = PlainShape::kSwitch, .extent = gpus, .link = kPlainLink}}).build();
}

inline Topology full_of(std::uint32_t gpus) {
  return plain({{.shape = PlainShape::kFullyConnected, .extent = gpus, .link = kPlainLink}})
      .build();
}

// Invented round numbers: only their ratios matter to the tests.
inline FatTreeSpec small_fat_tree(std::uint32_t gpus_per_node, std::uint32_t nodes,
                                  std::uint32_t nodes_per_pod) {
  return {.node = {.gpus = gpus_per_node,
                   .gpus_per_cpu = gpus_per_node,
                   .nvlink = {.rate = 400_GBps, .latency = 500_ns},
                   .pcie = {.rate = 50_GBps, .latency = 200_ns},
                   .cpu = {.rate = 50_GBps, .latency = 200_ns},
                   .nic = {.rate = 50_GBps, .latency = 600_ns}},
          .nodes = nodes,
          .nodes_per_pod = nodes_per_pod,
          .switch_latency = 300_ns};
}

}  // namespace septet::network
