#include "scenarios/network/network_reader.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "scenarios/config/hardware/profile.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/network/network_text.hpp"

namespace septet::config {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = SEPTET_SOURCE_DIRECTORY;

Network read(const std::string& text) {
  const ConfigValue tree = read_toml(text, "net.toml");
  return read_network(*tree.find("network"), "network", {kRoot / "data"});
}

std::string message(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* kPair = R"([network]
shape = "custom"
vertex = [{ name = "a", kind = "gpu" }, { name = "b", kind = "gpu" }]
)";

TEST(NetworkReader, EverythingShippedIsRead) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "scenarios/shipped/networks")) {
    SCOPED_TRACE(entry.path());
    const Network network = load_network(entry.path(), {kRoot / "data"});
    network::Router router(network.topology, network.routing);
    const std::uint32_t last = network.topology.gpu_count() - 1;
    EXPECT_FALSE(router.route(0, last).empty());
    ++files;
  }
  EXPECT_GE(files, 7U);
}

// Rates that data sheets give for both directions together, halved.
TEST(NodeProfiles, HaveTheRatesOfTheirDataSheets) {
  struct Row {
    const char* name;
    std::uint32_t gpus;
    double nvlink;
    double nic;
  };
  const std::vector<Row> rows = {{"hgx-a100", 8, 600e9 / 2, 25e9},
                                 {"hgx-h100", 8, 900e9 / 2, 50e9},
                                 {"hgx-h200", 8, 900e9 / 2, 50e9},
                                 {"hgx-b200", 8, 1.8e12 / 2, 50e9},
                                 {"gb200-nvl72", 72, 1.8e12 / 2, 50e9}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const network::NodeSpec node =
        read_node_profile(kRoot / "data/nodes" / (std::string(row.name) + ".toml"));
    EXPECT_EQ(node.gpus, row.gpus);
    EXPECT_EQ(node.nvlink.rate.count(), row.nvlink);
    EXPECT_EQ(node.nic.rate.count(), row.nic);
  }
}

TEST(NetworkReader, PlainShapesTakeTheirNumbers) {
  const Network ring =
      read("[network]\nshape = \"ring\"\ngpus = 6\nrate = \"25 GB/s\"\nlatency = \"1 us\"\n");
  EXPECT_EQ(ring.topology.gpu_count(), 6U);
  EXPECT_EQ(ring.topology.link(0).rate, 25_GBps);
  EXPECT_EQ(ring.topology.link(0).latency, 1_us);
  EXPECT_EQ(ring.routing, network::Routing::kRailAware);
  const Network levels = read(
      "[network]\nshape = \"levels\"\nlevels = \"switch4xring3\"\nrate = \"25 GB/s\"\n"
      "latency = \"1 us\"\nrouting = \"ecmp\"\n");
  EXPECT_EQ(levels.topology.gpu_count(), 12U);
  EXPECT_EQ(levels.routing, network::Routing::kEcmp);
}

TEST(NetworkReader, ChangesLinksOfShapes) {
  const Network network = read(
      "[network]\nshape = \"switch\"\ngpus = 3\nrate = \"50 GB/s\"\nlatency = \"1 us\"\n"
      "[[network.link]]\nfrom = \"gpu1\"\nto = \"switch0.0\"\nrate_factor = 0.5\n"
      "[[network.link]]\nfrom = \"gpu2\"\nto = \"switch0.0\"\nfailed = true\n");
  const network::Topology& topology = network.topology;
  for (network::LinkId id = 0; id < topology.link_count(); ++id) {
    const network::Link& link = topology.link(id);
    const bool slow = link.from == 1 || link.to == 1;
    EXPECT_EQ(link.rate, slow ? 25_GBps : 50_GBps);
    EXPECT_EQ(link.failed, link.from == 2 || link.to == 2);
  }
}

TEST(NetworkReader, CustomNetworksAreWhatTheySay) {
  const Network network = read(std::string(kPair) +
                               "link = [{ from = \"a\", to = \"b\", rate = \"2 GB/s\", "
                               "latency = \"3 us\", kind = \"nvlink\" }]\n");
  EXPECT_EQ(network.topology.gpu_count(), 2U);
  EXPECT_EQ(network.topology.link_count(), 2U);
  EXPECT_EQ(network.topology.link(0).kind, network::CableKind::kNvLink);
}

TEST(NetworkReader, NamesEachMistakeWithItsPlace) {
  EXPECT_EQ(message("[network]\nshape = \"rign\"\n"),
            "net.toml:2:9: network.shape: got \"rign\", wanted one of: ring, switch, full, levels, "
            "node, fat-tree, dragonfly, custom (did you mean 'ring'?)");
  EXPECT_EQ(message("[network]\nshape = \"ring\"\ngpus = 4\nlatency = \"1 us\"\n"),
            "net.toml:1:1: network: got no key 'rate', wanted it with the shape 'ring'");
  EXPECT_EQ(message("[network]\nshape = \"node\"\nnode = \"hgx-h200\"\nspines = 4\n"),
            "net.toml:4:10: network.spines: got a key that the shape 'node' doesn't take, wanted "
            "one of: shape, routing, link, node");
  EXPECT_EQ(
      message("[network]\nshape = \"ring\"\ngpus = 4\nrate = \"0 GB/s\"\nlatency = \"1 us\"\n"),
      "net.toml:4:8: network.rate: got \"0 GB/s\", wanted a byte rate from 1 MB/s to "
      "1 PB/s");
  EXPECT_EQ(
      message("[network]\nshape = \"ring\"\ngpus = 1\nrate = \"1 GB/s\"\nlatency = \"1 us\"\n"),
      "net.toml:1:1: network: topology: got a level of 1 GPUs, wanted at least 2 GPUs in "
      "each level");
  EXPECT_EQ(message(std::string(kPair) + "link = [{ from = \"a\", to = \"c\", rate = \"2 GB/s\", "
                                         "latency = \"3 us\" }]\n"),
            "net.toml:4:28: link: got \"c\", wanted the name of a GPU, switch, CPU or NIC of the "
            "network");
  EXPECT_EQ(
      message(std::string(kPair) + "link = [{ from = \"a\", to = \"b\" }]\n"),
      "net.toml:4:9: network.link.0: got no key 'rate', wanted it in a custom network's link");
}

TEST(NetworkReader, AnUnknownNodeIsMetWithTheNearest) {
  const std::string got = message("[network]\nshape = \"node\"\nnode = \"hgx-h20\"\n");
  EXPECT_EQ(got.substr(0, got.find(" (")),
            "net.toml:3:8: network.node: got \"hgx-h20\", wanted a node profile");
  EXPECT_NE(got.find("did you mean"), std::string::npos);
}

TEST(NetworkReader, FormatListsTheKeys) {
  const fs::path file = kRoot / "scenarios" / "network" / "FORMAT.md";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::size_t start = std::min(text.str().find("### [network]"), text.str().size());
  if (std::getenv("SEPTET_UPDATE_REFERENCE") != nullptr) {
    std::ofstream(file) << text.str().substr(0, start) << network_field_reference();
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text.str().substr(start), network_field_reference())
      << "run this test with SEPTET_UPDATE_REFERENCE=1";
}

}  // namespace
}  // namespace septet::config
