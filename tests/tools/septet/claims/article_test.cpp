// The claims that come with Septet: each verdict, computed anew, is the one that the file's reason
// was written for, and the numbers are those recorded in golden.json, within 2 %. After a change of
// a model that is meant to change them:
//
//   SEPTET_UPDATE_GOLDEN=1 build/release/tests/tools/septet/claims/claims_report_test
//
// writes the file anew; look at the difference, and at the reasons, before committing it.
#include <cmath>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tools/septet/claims/claims_output.hpp"
#include "tools/septet/claims/run_claims.hpp"

namespace septet::command {
namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path kSource = SEPTET_SOURCE_DIRECTORY;
const std::filesystem::path kGolden = kSource / "tests/tools/septet/claims/golden.json";

const std::vector<claims::ClaimResult>& article() {
  static const ClaimResults kResults = evaluate_claims(
      read_scenario_files({(kSource / "scenarios/article").string()}), {}, {kSource / "data"});
  return kResults.results;
}

TEST(Article, EachVerdictIsTheOneThatItsReasonWasWrittenFor) {
  ASSERT_GE(article().size(), 45U);
  for (const claims::ClaimResult& result : article()) {
    EXPECT_STREQ(name_of(result.verdict), name_of(result.claim.written)) << result.claim.name;
    EXPECT_GE(result.claim.text.claim.reason.size(), 40U) << result.claim.name;
  }
}

TEST(Article, EverySituationHasAnAnswerOnEveryGpuOrItsClaimIsNotSimulated) {
  for (const claims::ClaimResult& result : article()) {
    if (result.verdict == claims::Verdict::kNotSimulated) continue;
    for (const claims::SituationResult& situation : result.situations) {
      EXPECT_EQ(situation.missing, "") << result.claim.name << ": " << situation.name;
    }
  }
}

TEST(Article, IsShownUnderItsOwnPremisesAndJudgedOnRealGpus) {
  for (const claims::ClaimResult& result : article()) {
    EXPECT_EQ(result.claim.gpus(),
              (std::vector<std::string>{"h100-article", "h100-sxm", "h200-sxm"}))
        << result.claim.name;
  }
}

// {claim: {verdict, situations: {name: [a number for each GPU, measured]}}}
Json recorded_form(const std::vector<claims::ClaimResult>& results) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(std::round(*value * 1e4) / 1e4) : Json();
  };
  Json out = Json::object();
  for (const claims::ClaimResult& result : results) {
    Json& claim = out[result.claim.name];
    claim["verdict"] = name_of(result.verdict);
    claim["situations"] = Json::object();
    for (const claims::SituationResult& situation : result.situations) {
      Json& numbers = claim["situations"][situation.name];
      for (const std::optional<double>& value : situation.simulated) {
        numbers.push_back(number(value));
      }
      numbers.push_back(number(situation.measured));
    }
  }
  return out;
}

// A model that is fitted anew moves most numbers a little, which says nothing about claims.
void expect_close(const Json& now, const Json& recorded, const std::string& where) {
  ASSERT_EQ(now.size(), recorded.size()) << where;
  for (std::size_t i = 0; i < now.size(); ++i) {
    ASSERT_EQ(now[i].is_null(), recorded[i].is_null()) << where;
    if (now[i].is_null()) continue;
    const double wanted = recorded[i].get<double>();
    EXPECT_NEAR(now[i].get<double>(), wanted, 0.02 * std::abs(wanted) + 1e-4) << where;
  }
}

TEST(Article, GivesTheRecordedNumbersWithinTwoPerCent) {
  const Json now = recorded_form(article());
  if (std::getenv("SEPTET_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(kGolden) << now.dump(1) << "\n";
    GTEST_SKIP() << "wrote " << kGolden;
  }
  const Json recorded = Json::parse(std::ifstream(kGolden));
  EXPECT_EQ(now.size(), recorded.size()) << "run with SEPTET_UPDATE_GOLDEN=1";
  for (const auto& [name, claim] : now.items()) {
    ASSERT_TRUE(recorded.contains(name)) << name << ": run with SEPTET_UPDATE_GOLDEN=1";
    EXPECT_EQ(claim["verdict"], recorded[name]["verdict"]) << name;
    const Json& situations = recorded[name]["situations"];
    ASSERT_EQ(claim["situations"].size(), situations.size()) << name;
    for (const auto& [situation, numbers] : claim["situations"].items()) {
      ASSERT_TRUE(situations.contains(situation)) << name << ": " << situation;
      expect_close(numbers, situations[situation], name + ": " + situation);
    }
  }
}

}  // namespace
}  // namespace septet::command
