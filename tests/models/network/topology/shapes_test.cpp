#include "models/network/topology/shapes.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "models/network/topology/router.hpp"
#include "models/network/topology/shape_text.hpp"
#include "tests/models/network/topology/networks.hpp"

namespace septet::network {
namespace {

std::vector<std::string> names(const Topology& topology, const Route& route) {
  std::vector<std::string> out;
  for (const LinkId link : route) out.push_back(topology.link_name(link));
  return out;
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PlainShapes, ARingPassesThroughItsGpusTheShorterWay) {
  const Topology ring = ring_of(8);
  EXPECT_EQ(ring.gpu_count(), 8U);
  EXPECT_EQ(ring.link_count(), 16U);  // 8 cables
  Router router(ring);
  EXPECT_EQ(names(ring, router.route(0, 2)),
            (std::vector<std::string>{"gpu0->gpu1", "gpu1->gpu2"}));
  EXPECT_EQ(names(ring, router.route(0, 7)), (std::vector<std::string>{"gpu0->gpu7"}));
  EXPECT_TRUE(router.route(3, 3).empty());
}

TEST(PlainShapes, GpusOfASwitchAreTwoLinksApart) {
  const Topology topology = switch_of(5);
  EXPECT_EQ(topology.link_count(), 10U);
  Router router(topology);
  const Route route = router.route(1, 4);
  EXPECT_EQ(names(topology, route),
            (std::vector<std::string>{"gpu1->switch0.0", "switch0.0->gpu4"}));
  EXPECT_EQ(route_latency(topology, route), 1_us);
  EXPECT_EQ(route_rate(topology, route), 50_GBps);
}

// 4 x 3 rings: 3 rings of 4 cables and 4 rings of 3.
TEST(PlainShapes, LevelsJoinGpusThatDifferInOneCoordinate) {
  const Topology torus = plain(levels_of("4x3", 12, kPlainLink)).build();
  EXPECT_EQ(torus.link_count(), 2U * (3 * 4 + 4 * 3));
  EXPECT_EQ(torus.node_count(), 3U);
  EXPECT_EQ(torus.node_of(7), 1U);
  EXPECT_EQ(torus.local_index(7), 3U);
  Router router(torus);
  EXPECT_EQ(names(torus, router.route(0, 8)), (std::vector<std::string>{"gpu0->gpu8"}));
  EXPECT_EQ(router.route(0, 5).size(), 2U);  // (0, 0) to (1, 1)
}

TEST(PlainShapes, TextSaysShapesAndExtents) {
  const auto levels = levels_of("switch8xring512", 0, kPlainLink);
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[0].shape, PlainShape::kSwitch);
  EXPECT_EQ(levels[0].extent, 8U);
  EXPECT_EQ(levels[1].shape, PlainShape::kRing);
  EXPECT_EQ(levels[1].extent, 512U);
  EXPECT_EQ(levels_of("full", 6, kPlainLink).at(0).extent, 6U);
}

TEST(PlainShapes, TextThatIsNoShapeIsAnError) {
  for (const char* text : {"", "star", "8x", "x8", "8xx8", "ringx8", "8y8", "99999999999"}) {
    EXPECT_NE(message([&] { levels_of(text, 0, kPlainLink); }).find("switch8xring512"),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(message([] { levels_of("8x4", 64, kPlainLink); }),
            "topology: got 8x4 of 32 GPUs, wanted 64 GPUs");
  EXPECT_EQ(message([] { plain(levels_of("8x1", 0, kPlainLink)); }),
            "topology: got a level of 1 GPUs, wanted at least 2 GPUs in each level");
}

// A node of 2: 2 GPUs, NVSwitch, 2 PCIe switches, 2 NICs, CPU: 2 + 2 * 3 cables. 4 nodes in pods of
// 2: 8 cables to leaves, 4 leaves, 2 spines (a leaf has 2 nodes below it): 8 cables.
TEST(FatTree, HasOneLeafForEachRailOfAPod) {
  const Topology tree = fat_tree(small_fat_tree(2, 4, 2)).build();
  EXPECT_EQ(tree.gpu_count(), 8U);
  EXPECT_EQ(tree.vertex_count(), 4U * 8 + 4 + 2);
  EXPECT_EQ(tree.link_count(), 2U * (4 * 8 + 8 + 8));
  EXPECT_EQ(tree.node_of(5), 2U);
  Router router(tree);
  EXPECT_EQ(
      names(tree, router.route(0, 2)),
      (std::vector<std::string>{"n0.gpu0->n0.pcie0", "n0.pcie0->n0.nic0", "n0.nic0->leaf0.0",
                                "leaf0.0->n1.nic0", "n1.nic0->n1.pcie0", "n1.pcie0->n1.gpu0"}));
  EXPECT_EQ(router.route(0, 4).size(), 8U);  // over a spine
  EXPECT_EQ(names(tree, router.route(0, 1)),
            (std::vector<std::string>{"n0.gpu0->n0.nvswitch0", "n0.nvswitch0->n0.gpu1"}));
}

TEST(FatTree, OversubscriptionTakesRateFromTheSpines) {
  FatTreeSpec spec = small_fat_tree(2, 8, 4);
  spec.oversubscription = 2;
  spec.spines = 4;
  const Topology tree = fat_tree(spec).build();
  // 4 NICs of 50 GB/s below a leaf, half of it upward, over 4 spines.
  Router router(tree, Routing::kShortest);
  const Route route = router.route(0, 8);
  ASSERT_EQ(route.size(), 8U);
  EXPECT_EQ(tree.link(route[3]).rate, 25_GBps);
}

TEST(FatTree, HoldsSixteenThousandGpusInLittleMemory) {
  FatTreeSpec spec = small_fat_tree(8, 2048, 32);
  const Topology tree = fat_tree(spec).build();
  EXPECT_EQ(tree.gpu_count(), 16'384U);
  Router router(tree);
  EXPECT_EQ(router.route(0, 16'376).size(), 8U);
  // Per node 8 NVLink, 24 PCIe, 8 network cables; 512 leaves under 32 spines.
  EXPECT_EQ(tree.link_count(), 2U * (2048 * 40 + 512 * 32));
  const std::size_t bytes = tree.link_count() * sizeof(Link) + tree.vertex_count() * sizeof(Vertex);
  EXPECT_LT(bytes / tree.gpu_count(), 1024U);
}

// 9 groups of 4 routers with 2 global links each: as many as there may be.
TEST(Dragonfly, JoinsEachGroupWithEachOther) {
  const DragonflySpec spec{.groups = 9,
                           .routers = 4,
                           .gpus_per_router = 2,
                           .global_links = 2,
                           .terminal = kPlainLink,
                           .local = kPlainLink,
                           .global = kPlainLink};
  const Topology topology = dragonfly(spec).build();
  EXPECT_EQ(topology.gpu_count(), 72U);
  EXPECT_EQ(topology.link_count(), 2U * (72 + 9 * 6 + 36));
  Router router(topology);
  for (std::uint32_t gpu = 1; gpu < 72; ++gpu) EXPECT_LE(router.route(0, gpu).size(), 5U);
  DragonflySpec wide = spec;
  wide.groups = 10;
  EXPECT_EQ(message([&] { dragonfly(wide); }),
            "groups: got 10, wanted at most 9: a link between each pair of groups");
}

// No router of a dragonfly has more global links than it was given.
TEST(Dragonfly, DealsItsGlobalLinksOutEvenly) {
  const Topology topology = dragonfly({.groups = 9,
                                       .routers = 4,
                                       .gpus_per_router = 1,
                                       .global_links = 2,
                                       .terminal = kPlainLink,
                                       .local = kPlainLink,
                                       .global = kPlainLink})
                                .build();
  for (VertexId vertex = 0; vertex < topology.vertex_count(); ++vertex) {
    if (topology.vertex(vertex).kind != VertexKind::kRouter) continue;
    const auto [first, last] = topology.links_from(vertex);
    EXPECT_EQ(last - first, 1U + 3 + 2) << topology.vertex(vertex).name;
  }
}

}  // namespace
}  // namespace septet::network
