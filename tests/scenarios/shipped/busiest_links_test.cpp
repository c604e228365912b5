// The busiest links of shipped scenarios are those that their comments blame.
#include <gtest/gtest.h>

#include "scenarios/analysis/run_summary.hpp"
#include "tests/scenarios/shipped/testing.hpp"

namespace septet {
namespace {

std::vector<analysis::LinkTotal> links_of(const config::Scenario& scenario) {
  system::SystemSpec system = study::system_of(scenario.hardware);
  system.trace_links = true;
  return analysis::summarize(
             run_program(scenario.program, system, study::options_of(scenario.run, 1)))
      .links;
}

const config::Scenario& variation(const Variations& all, const std::string& name) {
  for (const auto& [each, scenario] : all) {
    if (each == name) return scenario;
  }
  throw std::runtime_error("no variation '" + name + "'");
}

// The share of a link's rate that the library reaches: where one collective runs at a time, the
// peak of the link that holds it up.
double reached(const config::Scenario& scenario) {
  return scenario.hardware.gpu.collective.simple.link_share;
}

TEST(BusiestLinks, OfAnOversubscribedNetworkLeadToTheSpines) {
  const Variations all = variations_of("oversubscribed-leaf");
  const config::Scenario& balanced = variation(all, kAsWritten);
  const std::vector<analysis::LinkTotal> before = links_of(balanced);
  EXPECT_EQ(before.at(0).name.substr(0, 16), "n0.nic0->leaf0.0");
  EXPECT_NEAR(before.at(0).peak, reached(balanced), 1e-3);
  // Two nodes of a pod send 2 * 50 GB/s to a leaf, an eighth of which goes on: a quarter of a
  // NIC's.
  const std::vector<analysis::LinkTotal> after = links_of(variation(all, "eight to one"));
  EXPECT_EQ(after.at(0).name.substr(0, 15), "leaf0.0->spine0");
  EXPECT_NEAR(after.at(0).peak, reached(balanced), 1e-3);
  EXPECT_EQ(after.at(1).name.substr(0, 16), "n0.nic0->leaf0.0");
  EXPECT_NEAR(after.at(1).peak, reached(balanced) / 4, 1e-3);
  EXPECT_EQ(after.at(1).bytes, before.at(0).bytes);
}

TEST(BusiestLinks, OfASlowRailAreItsCable) {
  const Variations all = variations_of("failed-rail");
  const config::Scenario& slow = variation(all, "slow rail");
  const std::vector<analysis::LinkTotal> links = links_of(slow);
  EXPECT_EQ(links.at(0).name, "leaf0.3->n2.nic3 and 1 like it");  // both ways
  EXPECT_EQ(links.at(0).links, 2U);
  EXPECT_NEAR(links.at(0).peak, reached(slow), 1e-3);
  // All other NICs carry as much in the same time, over cables of four times the rate.
  EXPECT_NEAR(links.at(1).peak, reached(slow) / 4, 1e-3);
}

}  // namespace
}  // namespace septet
