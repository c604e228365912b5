#include "models/network/topology/router.hpp"

#include <set>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "tests/models/network/topology/networks.hpp"

namespace septet::network {
namespace {

void expect_path(const Topology& topology, VertexId from, VertexId to, const Route& route) {
  VertexId at = from;
  for (const LinkId id : route) {
    const Link& link = topology.link(id);
    EXPECT_FALSE(link.failed);
    ASSERT_EQ(link.from, at);
    at = link.to;
  }
  EXPECT_EQ(at, to);
}

// Links between a vertex and all others by Boost's plain search.
std::vector<std::uint32_t> distances(const Topology& topology, VertexId from) {
  std::vector<std::uint32_t> out(topology.vertex_count(), 0);
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(topology.vertex_count());
  for (LinkId link = 0; link < topology.link_count(); ++link) {
    boost::add_edge(topology.link(link).from, topology.link(link).to, graph);
  }
  const auto map = boost::make_iterator_property_map(out.begin(), get(boost::vertex_index, graph));
  boost::breadth_first_search(
      graph, from,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(map, boost::on_tree_edge()))));
  return out;
}

Topology random_network(std::uint64_t seed, std::uint32_t gpus, std::uint32_t extra) {
  RandomStream random({.seed = seed});
  TopologyBuilder builder;
  builder.forward_through_gpus();
  for (std::uint32_t i = 0; i < gpus; ++i) builder.add(VertexKind::kGpu, "g" + std::to_string(i));
  const auto connect = [&](VertexId a, VertexId b) {
    builder.connect(a, b, CableKind::kPlain, kPlainLink);
  };
  for (VertexId i = 1; i < gpus; ++i) connect(i, static_cast<VertexId>(random.below(i)));
  for (std::uint32_t i = 0; i < extra; ++i) {
    const auto a = static_cast<VertexId>(random.below(gpus));
    const auto b = static_cast<VertexId>(random.below(gpus));
    if (a != b) connect(a, b);
  }
  return builder.build();
}

TEST(Router, FindsTheFewestLinksOfAnyNetworkUnderAnyPolicy) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Topology topology = random_network(seed, 40, 30);
    for (const Routing routing : {Routing::kShortest, Routing::kEcmp, Routing::kRailAware}) {
      Router router(topology, routing);
      for (std::uint32_t from = 0; from < 40; ++from) {
        const auto wanted = distances(topology, from);
        for (std::uint32_t to = 0; to < 40; ++to) {
          const Route route = router.route(from, to);
          expect_path(topology, from, to, route);
          EXPECT_EQ(route.size(), wanted[to]) << "seed " << seed << ": " << from << " to " << to;
        }
      }
    }
  }
}

TEST(Router, DoesNotPassThroughGpusBetweenSwitches) {
  TopologyBuilder builder;
  const VertexId a = builder.add(VertexKind::kGpu, "a");
  const VertexId b = builder.add(VertexKind::kGpu, "b");
  const VertexId c = builder.add(VertexKind::kGpu, "c");
  const VertexId first = builder.add(VertexKind::kSwitch, "first");
  const VertexId second = builder.add(VertexKind::kSwitch, "second");
  const VertexId third = builder.add(VertexKind::kSwitch, "third");
  for (const auto& [x, y] : {std::pair{a, first},
                             {b, first},
                             {b, second},
                             {c, second},
                             {first, third},
                             {third, second}}) {
    builder.connect(x, y, CableKind::kPlain, kPlainLink);
  }
  const Topology topology = builder.build();
  Router router(topology);
  // a-first-b-second-c has four links as well as a-first-third-second-c.
  const Route route = router.route(0, 2);
  ASSERT_EQ(route.size(), 4U);
  EXPECT_EQ(topology.link(route[1]).to, third);
}

TEST(Router, EcmpUsesAllSpinesAndKeepsToOneForAPair) {
  const Topology tree = fat_tree(small_fat_tree(1, 32, 8)).build();
  Router router(tree, Routing::kEcmp);
  Router again(tree, Routing::kEcmp);
  Router other(tree, Routing::kEcmp, 7);
  Router shortest(tree, Routing::kShortest);
  std::set<VertexId> spines;
  std::set<VertexId> lone;
  std::uint32_t differ = 0;
  for (std::uint32_t from = 0; from < 8; ++from) {
    for (std::uint32_t to = 8; to < 32; ++to) {
      const Route route = router.route(from, to);
      EXPECT_EQ(route, again.route(from, to));
      differ += route != other.route(from, to) ? 1 : 0;
      spines.insert(tree.link(route[3]).to);
      lone.insert(tree.link(shortest.route(from, to)[3]).to);
    }
  }
  EXPECT_EQ(spines.size(), 8U);  // as many as nodes below a leaf
  EXPECT_EQ(lone.size(), 1U);
  EXPECT_GT(differ, 100U);  // of 192: another seed chooses another spine 7 times of 8
}

// GPU 0 of node 0 to GPU 1 of node 1, in one pod: two leaves and a spine, or NVLink and one leaf.
TEST(Router, RailAwareRoutesCrossRailsInsideTheNode) {
  const Topology tree = fat_tree(small_fat_tree(2, 4, 4)).build();
  const auto count = [&](const Route& route, VertexKind kind) {
    std::ptrdiff_t out = 0;
    for (const LinkId link : route) out += tree.vertex(tree.link(link).to).kind == kind ? 1 : 0;
    return out;
  };
  Router plain(tree, Routing::kEcmp);
  EXPECT_EQ(count(plain.route(0, 3), VertexKind::kLeaf), 2);
  Router aware(tree, Routing::kRailAware);
  const Route route = aware.route(0, 3);
  expect_path(tree, tree.gpu_vertex(0), tree.gpu_vertex(3), route);
  EXPECT_EQ(count(route, VertexKind::kLeaf), 1);
  EXPECT_EQ(count(route, VertexKind::kSpine), 0);
  EXPECT_EQ(tree.link(route[1]).to, tree.gpu_vertex(1));
}

// NIC 3 of node 1 has lost its leaf: GPU 3 of that node sends by rail 0, the first of the others
// after rail (3 + 1 + 1 + 2) % 4, its own, and is reached by it; nothing goes through a CPU.
TEST(Router, RailAwareRoutesLeaveACutRailOverNvlink) {
  TopologyBuilder builder = fat_tree(small_fat_tree(4, 4, 4));
  builder.change({.from = "n1.nic3", .to = "leaf0.3", .failed = true});
  const Topology tree = builder.build();
  Router aware(tree);
  const auto path = [&](std::uint32_t from, std::uint32_t to) {
    const Route route = aware.route(from, to);
    expect_path(tree, tree.gpu_vertex(from), tree.gpu_vertex(to), route);
    std::string out;
    for (const LinkId link : route) out += " " + tree.vertex(tree.link(link).to).name;
    return out;
  };
  EXPECT_EQ(path(7, 11),
            " n1.nvswitch0 n1.gpu0 n1.pcie0 n1.nic0 leaf0.0 n2.nic0 n2.pcie0 n2.gpu0"
            " n2.nvswitch0 n2.gpu3");
  EXPECT_EQ(path(11, 7),
            " n2.nvswitch0 n2.gpu0 n2.pcie0 n2.nic0 leaf0.0 n1.nic0 n1.pcie0 n1.gpu0"
            " n1.nvswitch0 n1.gpu3");
  // Rail 3 is whole elsewhere; to a GPU on another rail its own will do.
  EXPECT_EQ(path(11, 15), " n2.pcie3 n2.nic3 leaf0.3 n3.nic3 n3.pcie3 n3.gpu3");
  EXPECT_EQ(path(9, 7), " n2.pcie1 n2.nic1 leaf0.1 n1.nic1 n1.pcie1 n1.gpu1 n1.nvswitch0 n1.gpu3");
}

// What was reached from sources asked for before is kept: a search that starts anew for each pair
// finds the same, whatever the order in which pairs are asked for.
TEST(Router, FindsTheSameRoutesWhateverWasAskedBefore) {
  TopologyBuilder builder = fat_tree(small_fat_tree(4, 8, 2));
  builder.change({.from = "n2.nic1", .to = "leaf1.1", .failed = true});
  const Topology tree = builder.build();
  for (const Routing routing : {Routing::kShortest, Routing::kEcmp, Routing::kRailAware}) {
    Router used(tree, routing);
    for (std::uint32_t to = 0; to < tree.gpu_count(); ++to) {
      for (std::uint32_t from = 0; from < tree.gpu_count(); ++from) {
        EXPECT_EQ(used.route(from, to), Router(tree, routing).route(from, to));
      }
    }
  }
}

TEST(Router, GoesAroundFailedLinksAndNamesTheGpusThatAreCutOff) {
  TopologyBuilder builder = plain({{.extent = 4, .link = kPlainLink}});
  builder.change({.from = "gpu0", .to = "gpu1", .failed = true});
  const Topology one = builder.build();
  EXPECT_EQ(Router(one).route(0, 1).size(), 3U);
  builder = plain({{.extent = 4, .link = kPlainLink}});
  builder.change({.from = "gpu1", .to = "gpu0", .failed = true});
  builder.change({.from = "gpu1", .to = "gpu2", .failed = true});
  const Topology two = builder.build();
  EXPECT_EQ(Router(two).route(0, 2).size(), 2U);
  try {
    Router(two).route(0, 1);
    FAIL() << "gpu1 has no link left";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "network: got no path from gpu0 to gpu1, wanted a path of links that "
                 "have not failed");
  }
}

}  // namespace
}  // namespace septet::network
