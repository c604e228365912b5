// What `septet run` makes of a scenario: the file as it is, its what-ifs, changes asked for.
#include "scenarios/study/scenario_study.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/config/testing.hpp"

namespace septet::study {
namespace {

// Twenty kernels of 10 us on one stream: their launches cost the CPU less, so the GPU decides.
const std::string kScenario =
    "[hardware]\ngpu = \"h200-sxm\"\n"
    "[[stream]]\nname = \"s\"\n"
    "[[kernel]]\nname = \"k\"\ngrid = 1\nblock = 32\nblock_time = \"10 us\"\n"
    "[[thread]]\nname = \"t\"\n"
    "steps = [{ launch = \"k\", stream = \"s\", times = 20 }, { synchronize_stream = \"s\" }]\n"
    "[[what_if]]\nname = \"half\"\nset = { \"thread.t.steps.0.times\" = 10 }\n"
    "[[what_if]]\nname = \"half twice as long\"\nset = { \"thread.t.steps.0.times\" = 10 }\n"
    "change = \"kernel=k:scale=2\"\n";

config::Configuration configuration(const std::string& text = kScenario) {
  return config::resolve(config::read_toml(text, "test.toml"), {}, config::shipped_profiles());
}

// Run with all its what-ifs, then with `changes`.
StudyResult study_of(const std::string& text, const std::vector<std::string>& changes = {}) {
  const config::Configuration read = configuration(text);
  const config::Scenario scenario = read_scenario(read);
  Study study(case_of("test.toml", scenario, 1));
  study.run_baseline();
  for (Variation& one : variations_of(read, scenario, config::shipped_profiles(), 1)) {
    study.run_variation(std::move(one.of), one.change, one.where);
  }
  for (const std::string& change : changes) study.run_what_if(change, {"--what-if"});
  return study.result();
}

TEST(ScenarioStudy, RunsTheWhatIfsOfTheFileThenTheChangesAskedFor) {
  const StudyResult result = study_of(kScenario, {"kernel=k:scale=3"});
  ASSERT_EQ(result.what_ifs.size(), 3U);
  EXPECT_EQ(result.what_ifs[0].name, "half");
  EXPECT_EQ(result.what_ifs[1].name, "half twice as long");
  EXPECT_EQ(result.what_ifs[2].name, "kernel=k:scale=3");
  const Duration whole = result.baseline.summary.span;
  // 400 us more; 100 us more than the half.
  EXPECT_NEAR(to_us(result.what_ifs[2].summary.span - whole), 400, 0.001);
  EXPECT_NEAR(to_us(result.what_ifs[1].summary.span - result.what_ifs[0].summary.span), 100, 0.001);
  EXPECT_DOUBLE_EQ(result.what_ifs[0].speedup, ratio(whole, result.what_ifs[0].summary.span));
}

TEST(ScenarioStudy, NotesWarningsOfAVariationThatTheScenarioDoesNotHave) {
  const std::string text =
      kScenario.substr(0, kScenario.find("[[what_if]]")) +
      "[[what_if]]\nname = \"another GPU\"\nset = { \"hardware.gpu\" = \"b200-sxm\" }\n";
  const StudyResult result = study_of(text);
  ASSERT_FALSE(result.what_ifs.at(0).notes.empty());
  EXPECT_TRUE(result.what_ifs[0].notes[0].starts_with("warning: b200-sxm: "));
}

TEST(ScenarioStudy, LocatesAWrongChangeWhereItWasAskedFor) {
  const auto mistake_of = [](const std::string& text, const std::vector<std::string>& changes) {
    return config::mistake([&] { study_of(text, changes); });
  };
  EXPECT_EQ(mistake_of(kScenario, {"kernel=k:scale=no"}).substr(0, 24), "--what-if: what-if kerne");
  std::string wrong = kScenario;
  wrong.replace(wrong.find("scale=2"), 7, "scale=no");
  EXPECT_EQ(mistake_of(wrong, {}).substr(0, 13), "test.toml:19:");
}

}  // namespace
}  // namespace septet::study
