// Everything that ships can be read: profiles, scenarios, their what-ifs, the field reference.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/config/reference.hpp"
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = SEPTET_SOURCE_DIRECTORY;

std::vector<fs::path> shipped_scenarios() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(kRoot / "scenarios" / "shipped")) {
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  }
  return out;
}

TEST(Shipped, ScenariosAndTheirWhatIfsCanBeRead) {
  ASSERT_GE(shipped_scenarios().size(), 6U);
  for (const fs::path& file : shipped_scenarios()) {
    const Configuration base = resolve(read_toml_file(file), {}, shipped_profiles());
    const Scenario scenario = read_scenario(base);
    EXPECT_FALSE(scenario.description.empty()) << file;
    EXPECT_FALSE(scenario.program.threads.empty()) << file;
    EXPECT_EQ(variations_of(base).size(), scenario.what_ifs.size()) << file;
  }
}

TEST(Shipped, ScenariosReadBackToThemselves) {
  for (const fs::path& file : shipped_scenarios()) {
    const Configuration first = resolve(read_toml_file(file), {}, shipped_profiles());
    const Configuration again = configuration_of(resolved_toml(first));
    EXPECT_TRUE(same_values(first.resolved, again.resolved)) << file;
    const auto variations = variations_of(first);
    const auto varied_again = variations_of(again);
    ASSERT_EQ(variations.size(), varied_again.size());
    for (std::size_t i = 0; i < variations.size(); ++i) {
      EXPECT_EQ(variations[i].program.threads.size(), varied_again[i].program.threads.size());
      EXPECT_EQ(variations[i].program.threads.at(0).calls.size(),
                varied_again[i].program.threads.at(0).calls.size());
    }
  }
}

// A capture keeps the edge from the root to the node after the join, because both are on one
// stream; the branches imply it, so the explicit graph leaves it out. Else the two are the same.
TEST(Shipped, CapturedForkJoinIsTheExplicitOneAndOneEdgeMore) {
  const Scenario scenario =
      load_scenario(kRoot / "scenarios/shipped/fork-join.toml", {}, shipped_profiles());
  const program::Graph& explicit_graph = scenario.program.graphs.at(0);
  const program::Graph& captured = scenario.program.graphs.at(1);
  const auto edges = [](const program::Graph& graph) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    for (const program::GraphEdge& edge : graph.edges) out.emplace_back(edge.from, edge.to);
    std::sort(out.begin(), out.end());
    return out;
  };
  EXPECT_EQ(explicit_graph.nodes.size(), captured.nodes.size());
  auto expected = edges(explicit_graph);
  expected.emplace_back(0, 13);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(expected, edges(captured));
}

TEST(Shipped, ProfilesNameAHostThatExists) {
  for (const Profile& profile : shipped_profiles().all()) {
    if (profile.kind != ProfileKind::kGpu) continue;
    EXPECT_EQ(shipped_profiles().find(ProfileKind::kHost, profile.default_host, {}, "host").name,
              profile.default_host);
  }
}

// With SEPTET_UPDATE_REFERENCE set in the environment the file is written anew instead.
TEST(Shipped, FieldReferenceIsThatOfTheTables) {
  const fs::path file = kRoot / "scenarios" / "FORMAT.md";
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::size_t start = text.str().find("### The file");
  ASSERT_NE(start, std::string::npos);
  if (std::getenv("SEPTET_UPDATE_REFERENCE") != nullptr) {
    std::ofstream(file) << text.str().substr(0, start) << field_reference();
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text.str().substr(start), field_reference())
      << "run this test with SEPTET_UPDATE_REFERENCE=1";
}

}  // namespace
}  // namespace septet::config
