#include "models/network/topology/topology_builder.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "tests/models/network/topology/networks.hpp"

namespace septet::network {
namespace {

// Two GPUs at a switch, before `change` is done to them.
std::string message(const std::function<void(TopologyBuilder&)>& change) {
  TopologyBuilder builder;
  const VertexId middle = builder.add(VertexKind::kSwitch, "middle");
  for (const char* name : {"left", "right"}) {
    builder.connect(builder.add(VertexKind::kGpu, name), middle, CableKind::kPlain, kPlainLink);
  }
  try {
    change(builder);
    builder.build({.file = "net.toml", .line = 3});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(TopologyBuilder, NamesWhatMakesNoNetwork) {
  EXPECT_EQ(message([](TopologyBuilder&) {}), "");
  EXPECT_EQ(message([](TopologyBuilder& builder) { builder.add(VertexKind::kGpu, "lonely"); }),
            "net.toml:3: lonely: got no path to left, wanted links that connect all GPUs");
  EXPECT_EQ(message([](TopologyBuilder& builder) { builder.add(VertexKind::kNic, "left"); }),
            "net.toml:3: name: got \"left\" twice, wanted a unique name for each vertex");
  EXPECT_EQ(message([](TopologyBuilder& builder) {
              builder.connect(0, 1, CableKind::kPlain, {.rate = ByteRate{}, .latency = 1_ns});
            }),
            "net.toml:3: link middle to left: got 0 GB/s, wanted a rate above 0 (a link that is "
            "down has `failed = true`)");
  EXPECT_EQ(message([](TopologyBuilder& builder) {
              builder.connect(0, 1, CableKind::kPlain, {.rate = 1_GBps, .latency = -1_ns});
            }),
            "net.toml:3: link middle to left: got a latency of -1000 ps, wanted at least 0");
  EXPECT_EQ(message([](TopologyBuilder& builder) {
              builder.connect(1, 1, CableKind::kPlain, kPlainLink);
            }),
            "net.toml:3: link left to left: got a cable from a vertex to itself, wanted two "
            "vertices");
  EXPECT_EQ(message([](TopologyBuilder& builder) { builder = {}; }),
            "net.toml:3: network: got no GPU, wanted at least one GPU");
}

TEST(TopologyBuilder, ChangesBothDirectionsOfACable) {
  TopologyBuilder builder =
      plain({{.shape = PlainShape::kSwitch, .extent = 3, .link = kPlainLink}});
  builder.change({.from = "gpu1",
                  .to = "switch0.0",
                  .rate = std::nullopt,
                  .rate_factor = 0.5,
                  .latency = 2_us});
  const Topology topology = builder.build();
  std::uint32_t changed = 0;
  for (LinkId id = 0; id < topology.link_count(); ++id) {
    const Link& link = topology.link(id);
    const bool of_gpu1 = link.from == topology.gpu_vertex(1) || link.to == topology.gpu_vertex(1);
    EXPECT_EQ(link.rate, of_gpu1 ? 25_GBps : 50_GBps);
    EXPECT_EQ(link.latency, of_gpu1 ? 2_us : 500_ns);
    EXPECT_EQ(topology.link(link.reverse).reverse, id);
    EXPECT_EQ(topology.link(link.reverse).from, link.to);
    changed += of_gpu1 ? 1 : 0;
  }
  EXPECT_EQ(changed, 2U);
}

TEST(TopologyBuilder, RefusesChangesOfCablesThatDoNotExist) {
  EXPECT_EQ(
      message([](TopologyBuilder& builder) {
        builder.change({.from = "left", .to = "right", .where = {.file = "a.toml", .line = 9}});
      }),
      "a.toml:9: link: got left to right, wanted two vertices connected by a cable");
  EXPECT_EQ(
      message([](TopologyBuilder& builder) { builder.change({.from = "up", .to = "right"}); }),
      "link: got \"up\", wanted the name of a GPU, switch, CPU or NIC of the network");
}

TEST(TopologyBuilder, GpusWithoutANodeAreNodesOfTheirOwn) {
  TopologyBuilder builder;
  const VertexId a = builder.add(VertexKind::kGpu, "a");
  const VertexId b = builder.add(VertexKind::kGpu, "b", 0);
  const VertexId c = builder.add(VertexKind::kGpu, "c", 0);
  builder.connect(a, b, CableKind::kPlain, kPlainLink);
  builder.connect(b, c, CableKind::kPlain, kPlainLink);
  const Topology topology = builder.build();
  EXPECT_EQ(topology.node_count(), 2U);
  EXPECT_EQ(topology.node_of(0), 1U);
  EXPECT_EQ(topology.node_gpus(0).size(), 2U);
  EXPECT_EQ(topology.local_index(2), 1U);
}

}  // namespace
}  // namespace septet::network
