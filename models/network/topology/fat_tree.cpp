#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/network/topology/shapes.hpp"

namespace septet::network {
namespace {

void require(bool holds, const std::string& key, const std::string& got,
             const std::string& wanted) {
  if (!holds) throw ConfigError::value({}, key, got, wanted);
}

void check(const FatTreeSpec& spec) {
  require(spec.nodes >= 1, "nodes", "0", "at least 1");
  require(spec.node.gpus >= 1, "node.gpus", "0", "at least 1");
  require(spec.node.gpus_per_cpu >= 1, "node.gpus_per_cpu", "0", "at least 1");
  require(spec.nodes_per_pod >= 1, "nodes_per_pod", "0", "at least 1");
  require(spec.oversubscription > 0, "oversubscription", fmt::format("{:g}", spec.oversubscription),
          "more than 0");
}

// GPUs, NVSwitches, PCIe switches and CPUs of one node. Returns its NICs, by rail.
std::vector<VertexId> add_node(TopologyBuilder& builder, const NodeSpec& spec, std::uint32_t node) {
  const auto add = [&](VertexKind kind, const char* name, std::uint32_t i) {
    return builder.add(kind, fmt::format("n{}.{}{}", node, name, i), node);
  };
  std::vector<VertexId> nics;
  std::vector<VertexId> cpus;
  std::vector<VertexId> gpus;
  for (std::uint32_t i = 0; i < spec.gpus; ++i) gpus.push_back(add(VertexKind::kGpu, "gpu", i));
  if (spec.gpus > 1) {
    const VertexId plane = add(VertexKind::kNvSwitch, "nvswitch", 0);
    for (const VertexId gpu : gpus) builder.connect(gpu, plane, CableKind::kNvLink, spec.nvlink);
  }
  for (std::uint32_t i = 0; i < spec.gpus; ++i) {
    if (i % spec.gpus_per_cpu == 0) {
      const VertexId cpu = add(VertexKind::kCpu, "cpu", i / spec.gpus_per_cpu);
      for (const VertexId other : cpus) builder.connect(other, cpu, CableKind::kCpu, spec.cpu);
      cpus.push_back(cpu);
    }
    const VertexId pcie = add(VertexKind::kPcieSwitch, "pcie", i);
    nics.push_back(add(VertexKind::kNic, "nic", i));
    builder.connect(pcie, cpus.back(), CableKind::kPcie, spec.pcie);
    builder.connect(gpus[i], pcie, CableKind::kPcie, spec.pcie);
    builder.connect(nics.back(), pcie, CableKind::kPcie, spec.pcie);
  }
  return nics;
}

// Upward rate of a leaf with all its nodes, spread over the spines.
LinkSpec leaf_to_spine(const FatTreeSpec& spec, std::uint32_t down, std::uint32_t spines) {
  const double up = spec.node.nic.rate.count() * down / spec.oversubscription;
  return {.rate = ByteRate(up / spines), .latency = spec.switch_latency};
}

std::uint32_t spine_count(const FatTreeSpec& spec, std::uint32_t down) {
  if (spec.spines > 0) return spec.spines;
  const double cables = std::floor(down / spec.oversubscription);
  return std::max(1U, static_cast<std::uint32_t>(cables));
}

}  // namespace

TopologyBuilder fat_tree(const FatTreeSpec& spec) {
  check(spec);
  TopologyBuilder builder;
  std::vector<VertexId> leaves;
  for (std::uint32_t node = 0; node < spec.nodes; ++node) {
    const std::vector<VertexId> nics = add_node(builder, spec.node, node);
    if (spec.nodes == 1) break;  // nothing to join
    const std::uint32_t pod = node / spec.nodes_per_pod;
    for (std::uint32_t rail = 0; rail < spec.node.gpus; ++rail) {
      const std::size_t leaf = static_cast<std::size_t>(pod) * spec.node.gpus + rail;
      if (leaf == leaves.size()) {
        leaves.push_back(builder.add(VertexKind::kLeaf, fmt::format("leaf{}.{}", pod, rail)));
      }
      builder.connect(nics[rail], leaves[leaf], CableKind::kNetwork, spec.node.nic);
    }
  }
  const std::uint32_t down = std::min(spec.nodes, spec.nodes_per_pod);
  const std::uint32_t spines = leaves.size() > 1 ? spine_count(spec, down) : 0;
  for (std::uint32_t i = 0; i < spines; ++i) {
    const VertexId spine = builder.add(VertexKind::kSpine, fmt::format("spine{}", i));
    for (const VertexId leaf : leaves) {
      builder.connect(leaf, spine, CableKind::kNetwork, leaf_to_spine(spec, down, spines));
    }
  }
  if (spec.nodes > 1 && spec.node.gpus > 1) builder.set_extents({spec.node.gpus, spec.nodes});
  return builder;
}

}  // namespace septet::network
