// Every shipped scenario and each of its what-ifs gives the summary recorded in golden.json, with
// any number of threads. After a change of a model that is meant to change results:
//
//   SEPTET_UPDATE_GOLDEN=1 build/release/tests/scenarios/shipped/shipped_scenarios_test
//
// writes the file anew; look at the difference before committing it.
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenarios/analysis/run_rows.hpp"
#include "tests/scenarios/shipped/testing.hpp"

namespace septet {
namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path kGolden = kSource / "tests" / "scenarios" / "shipped" / "golden.json";

// A scenario that cannot go on is recorded with the explanation that it gives.
Json summary_of(const config::Scenario& scenario, unsigned threads) {
  try {
    const system::ProgramRun run = run_of(scenario, threads);
    Json rows = Json::object();
    for (const trace::TableRows& table : run.rows.tables()) rows[table.spec.name] = table.size();
    return {{"simulated_ps", analysis::collect_rows(run).span().count()},
            {"events", run.result.events},
            {"digest", fmt::format("{:016x}", run.result.digest)},
            {"rows", rows}};
  } catch (const ModelError& error) {
    return {{"fails", error.what()}};
  }
}

Json summaries_of(const std::string& name, unsigned threads) {
  Json out = Json::object();
  for (const auto& [variation, scenario] : variations_of(name)) {
    out[variation] = summary_of(scenario, threads);
  }
  return out;
}

TEST(Golden, ShippedScenariosGiveTheRecordedSummaries) {
  Json now = Json::object();
  for (const std::string& name : shipped_names()) now[name] = summaries_of(name, 1);
  if (std::getenv("SEPTET_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(kGolden) << now.dump(1) << "\n";
    GTEST_SKIP() << "wrote " << kGolden;
  }
  const Json recorded = Json::parse(std::ifstream(kGolden));
  for (const auto& [name, variations] : now.items()) {
    ASSERT_TRUE(recorded.contains(name)) << name << ": run with SEPTET_UPDATE_GOLDEN=1";
    EXPECT_EQ(variations.dump(1), recorded[name].dump(1)) << name;
  }
  EXPECT_EQ(now.size(), recorded.size()) << "a recorded scenario is gone";
}

TEST(Golden, ThreadsMakeNoDifference) {
  for (const std::string& name : shipped_names()) {
    const Json one = summaries_of(name, 1);
    for (const unsigned threads : {2U, 4U}) {
      EXPECT_EQ(summaries_of(name, threads), one) << name << " with " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace septet
