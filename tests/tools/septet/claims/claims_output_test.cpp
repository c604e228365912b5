// What is printed of claims, and which files are taken.
#include "tools/septet/claims/claims_output.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tools/septet/claims/run_claims.hpp"

namespace septet::command {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = SEPTET_SOURCE_DIRECTORY;

// A folder of claims that is gone after the test.
class Claims : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("septet-claims-output-" + std::to_string(::getpid()));
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  // A claim that an H200 has `figure` SMs.
  void write(const std::string& name, int figure, const std::string& verdict) {
    std::ofstream(root_ / (name + ".toml"))
        << "[claim]\ntext = \"An H200 has many SMs.\"\nkind = \"value\"\nfigure = " << figure
        << "\nunit = \"SMs\"\ntolerance = 0\ngpus = [\"h200-sxm\"]\nverdict = \"" << verdict
        << "\"\nreason = \"That is what it has.\"\n[[situation]]\nname = \"all of them\"\n"
           "[[situation.after]]\nnumber = \"gpu.sm_count\"\n";
  }
  std::vector<claims::ClaimResult> evaluated(const std::vector<std::string>& settings = {}) {
    return evaluate_claims(read_scenario_files({root_.string()}), settings, {kSource / "data"})
        .results;
  }
  template <class Action>
  std::string mistake(Action action) {
    try {
      action();
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      const std::size_t at = message.find(root_.string());
      return at == std::string::npos ? message : message.substr(at + root_.string().size());
    }
    return "no mistake";
  }

  fs::path root_;
};

TEST_F(Claims, AreATableAndTheirReasons) {
  write("a", 132, "holds");
  write("b", 144, "holds");
  EXPECT_EQ(claims_text(evaluated(), 100),
            "a: An H200 has many SMs. [132 SMs]\n"
            "situation    h200-sxm  measured  matches\n"
            "-----------  --------  --------  -------\n"
            "all of them       132         -  yes\n"
            "holds: That is what it has.\n"
            "\n"
            "b: An H200 has many SMs. [144 SMs]\n"
            "situation    h200-sxm  measured  matches\n"
            "-----------  --------  --------  -------\n"
            "all of them       132         -  no\n"
            "does not hold (the reason in the file is for: holds)\n"
            "\n"
            "claim  claimed  verdict\n"
            "-----  -------  -------------\n"
            "a      132 SMs  holds\n"
            "b      144 SMs  does not hold\n"
            "\n"
            "2 claims: 1 holds, 1 does not hold\n");
}

TEST_F(Claims, AreJsonForScripts) {
  write("a", 132, "holds");
  const nlohmann::ordered_json json = claims_json(evaluated());
  ASSERT_EQ(json["claims"].size(), 1U);
  const auto& claim = json["claims"][0];
  EXPECT_EQ(claim["name"], "a");
  EXPECT_EQ(claim["figure"]["text"], "132 SMs");
  EXPECT_EQ(claim["situations"][0]["simulated"]["h200-sxm"]["value"], 132);
  EXPECT_EQ(claim["situations"][0]["simulated"]["h200-sxm"]["matches"], true);
  EXPECT_TRUE(claim["situations"][0]["measured"].is_null());
  EXPECT_EQ(claim["verdict"], "holds");
  EXPECT_EQ(claim["reason"], "That is what it has.");
  EXPECT_EQ(json["verdicts"]["holds"], 1);
}

TEST_F(Claims, TakeSettings) {
  write("a", 132, "holds");
  EXPECT_EQ(evaluated({"gpu.sm_count=7"})[0].verdict, claims::Verdict::kDoesNotHold);
}

TEST_F(Claims, ComeInTheOrderOfTheirNames) {
  write("b", 132, "holds");
  write("a", 132, "holds");
  std::ofstream(root_ / "README.md") << "not a scenario\n";
  const std::vector<ScenarioFile> files = read_scenario_files({root_.string()});
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path.filename(), "a.toml");
}

TEST_F(Claims, OfOneFileAreOneHoweverOftenItIsNamed) {
  write("a", 132, "holds");
  const std::string file = (root_ / "a.toml").string();
  EXPECT_EQ(read_scenario_files({file, root_.string(), (root_ / "." / "a.toml").string()}).size(),
            1U);
}

TEST_F(Claims, OfAFolderWithoutScenariosAreAMistake) {
  EXPECT_EQ(mistake([&] { read_scenario_files({root_.string()}); }),
            ": holds no scenario (*.toml)");
}

TEST_F(Claims, RunTogetherWithOtherClaimsOnly) {
  write("a", 132, "holds");
  std::ofstream(root_ / "b.toml") << "name = \"no claim\"\n";
  EXPECT_EQ(mistake([&] { evaluated(); }),
            "/b.toml:1:1: no table [claim]: several files run together only if all are claims");
}

TEST_F(Claims, NameTheirPlaceWhereAGpuIsUnknown) {
  write("a", 132, "holds");
  std::stringstream text;
  text << std::ifstream(root_ / "a.toml").rdbuf();
  std::string changed = text.str();
  changed.replace(changed.find("h200-sxm"), 8, "h20-sxm");
  std::ofstream(root_ / "a.toml") << changed;
  EXPECT_EQ(mistake([&] { evaluated(); }).substr(0, 60),
            "/a.toml:7:9: hardware.gpu: got \"h20-sxm\", wanted a GPU profi");
}

}  // namespace
}  // namespace septet::command
