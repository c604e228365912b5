// Networks of predefined shapes. All functions throw ConfigError for invalid parameters.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "models/network/topology/topology.hpp"
#include "models/network/topology/topology_builder.hpp"

namespace septet::network {

// Plain shapes of one level: GPUs alone, without hosts or NICs.
enum class PlainShape : std::uint8_t {
  kRing,           // each GPU with the next one and the one before; GPUs forward
  kSwitch,         // each GPU with one switch
  kFullyConnected  // each GPU with each other one
};

constexpr auto enum_table(std::type_identity<PlainShape>) {
  return enum_texts<PlainShape>("ring", "switch", "full");
}

struct Level {
  PlainShape shape = PlainShape::kRing;
  std::uint32_t extent = 0;
  LinkSpec link;
};

// One or more plain levels, nearest first: GPUs that differ in the coordinate of one level only are
// joined by a network of its shape. Levels {8}, {512} are 4,096 GPUs, each in two networks. GPUs
// that differ in the first coordinate only are one node.
TopologyBuilder plain(const std::vector<Level>& levels);

// A server, or an NVLink domain such as NVL72: GPUs around one NVSwitch plane, and for each GPU a
// PCIe switch with a NIC, below a CPU.
struct NodeSpec {
  std::uint32_t gpus = 0;
  std::uint32_t gpus_per_cpu = 1;
  LinkSpec nvlink;  // GPU to the plane of NVSwitches, all links of a GPU together
  LinkSpec pcie;    // GPU or NIC to the PCIe switch, and that to the CPU
  LinkSpec cpu;     // from CPU to CPU
  LinkSpec nic;     // NIC to the switch of the network
};

// Nodes of GPUs under leaf and spine switches, one NIC and one rail for each GPU of a node: NIC i
// of all nodes of a pod is on the pod's leaf i, and every leaf is joined to every spine. A single
// pod has no spines when its node has one rail; nodes of one pod reach other rails over spines.
// Ignored: how many ports a switch has; cables side by side are one link of their summed rate.
struct FatTreeSpec {
  NodeSpec node;
  std::uint32_t nodes = 0;
  std::uint32_t nodes_per_pod = 32;  // 8 rails of 32 nodes: a scalable unit of a DGX SuperPOD
  std::uint32_t spines = 0;          // 0: the number of uplinks of a leaf, each at a NIC's rate
  double oversubscription = 1;       // downward rate of a leaf over its upward rate
  Duration switch_latency{};         // of the links between leaf and spine
};

TopologyBuilder fat_tree(const FatTreeSpec& spec);

// Dragonfly (J. Kim et al., "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008):
// the routers of a group are fully connected, and so are the groups, over `global_links` of each
// router. GPUs of one router are one node. At most routers * global_links + 1 groups.
struct DragonflySpec {
  std::uint32_t groups = 0;
  std::uint32_t routers = 0;  // of each group
  std::uint32_t gpus_per_router = 0;
  std::uint32_t global_links = 1;  // of each router
  LinkSpec terminal;               // GPU to router
  LinkSpec local;                  // inside a group
  LinkSpec global;                 // between groups
};

TopologyBuilder dragonfly(const DragonflySpec& spec);

}  // namespace septet::network
