#include "scenarios/training/plan.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "scenarios/config/reference.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/study/hardware_system.hpp"

namespace septet::test {
namespace {

namespace fs = std::filesystem;

fs::path source_folder() { return fs::path(config::data_directories().front()).parent_path(); }

config::TrainingCase read(const std::string& more, const std::string& training = "") {
  const std::string text = R"([hardware]
gpu = "h100-sxm"
gpus = 16
[training]
model = "llama-3.1-8b"
seq_length = 4096
num_microbatches = 8
data_parallel_size = 16
zero_stage = 1
)" + training + more;
  return config::read_training(config::resolve(config::read_toml(text, "t.toml"), {},
                                               config::ProfileLibrary(config::data_directories())));
}

training::Plan plan_of(const config::TrainingCase& one) {
  std::optional<training::PlanChoices> choices;
  if (one.plan) choices = training::read_plan(*one.plan);
  return make_plan(one, study::system_of(one.hardware), choices, [](double) {});
}

TEST(Plan, TakesTheLayoutOfTheFileAlone) {
  const training::Plan plan = plan_of(read(""));
  EXPECT_TRUE(plan.given_fits);
  EXPECT_GT(plan.given.step.time.total, Duration(0));
  EXPECT_EQ(plan.considered, 0U);
  EXPECT_TRUE(plan.best.empty());
}

// 16 bytes for each of 8 billion parameters don't fit into 80 GB.
TEST(Plan, NamesTheNearestChangeThatFits) {
  config::TrainingCase one = read("");
  one.spec.zero_stage = 0;
  const training::Plan plan = plan_of(one);
  EXPECT_FALSE(plan.given_fits);
  EXPECT_TRUE(plan.nearest.starts_with("zero_stage = 1: parameters")) << plan.nearest;
}

TEST(Plan, KeepsTheBestInOrder) {
  const training::Plan plan =
      plan_of(read("[plan]\ntensor = [1, 2]\npipeline = [1, 2]\nmicro_batch = [1, 2]\nbest = 3\n"));
  EXPECT_EQ(plan.considered, plan.too_large + plan.too_slow + plan.simulated);
  ASSERT_EQ(plan.best.size(), 3U);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_LE(plan.best[i - 1].step.time.total, plan.best[i].step.time.total);
  }
  for (const training::Candidate& one : plan.best) {
    EXPECT_EQ(one.spec.ranks(), 16U);
    EXPECT_DOUBLE_EQ(one.spec.global_batch(), 128);
    EXPECT_LE(one.memory.total(), plan.memory);
  }
}

// What the bounds leave out is no better than what stays.
TEST(Plan, LosesNothingToItsBounds) {
  const char* few = "[plan]\nrecompute = [\"none\", \"full\"]\ntensor = [1, 2, 4]\nbest = 2\n";
  const char* all = "[plan]\nrecompute = [\"none\", \"full\"]\ntensor = [1, 2, 4]\nbest = 1000\n";
  const training::Plan bounded = plan_of(read(few));
  const training::Plan whole = plan_of(read(all));
  EXPECT_GT(bounded.too_slow, 0U);
  EXPECT_EQ(whole.too_slow, 0U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(bounded.best[i].step.time.total, whole.best[i].step.time.total);
  }
}

TEST(Plan, RefusesAnotherNumberOfGpus) {
  config::TrainingCase one = read("");
  one.hardware.gpus = 8;
  EXPECT_THROW(plan_of(one), ConfigError);
}

TEST(Plan, RefusesARecomputationThatItDoesNotKnow) {
  try {
    plan_of(read("[plan]\nrecompute = [\"half\"]\n"));
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("plan.recompute"), std::string::npos) << error.what();
  }
}

// Every scenario reads, fits, and says which published figure it meets.
TEST(ShippedTraining, FitsAndNamesItsPublishedFigure) {
  int found = 0;
  for (const auto& entry : fs::directory_iterator(source_folder() / "scenarios/shipped/training")) {
    if (entry.path().extension() != ".toml") continue;
    ++found;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find("# Published: "), std::string::npos) << entry.path();
    const config::TrainingCase one =
        config::read_training(config::resolve(config::read_toml_file(entry.path()), {},
                                              config::ProfileLibrary(config::data_directories())));
    EXPECT_EQ(one.hardware.gpus, one.spec.ranks()) << entry.path();
    EXPECT_NO_THROW(check(one.spec)) << entry.path();
    EXPECT_LE(training::largest_memory(one.spec).total(), training::usable_memory(one.hardware.gpu))
        << entry.path() << ": " << sum_text(training::largest_memory(one.spec));
  }
  EXPECT_GE(found, 9);
}

TEST(PlanFormat, DocumentsEveryKey) {
  std::ifstream file(source_folder() / "scenarios/training/FORMAT.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const std::string& table :
       {config::field_table("[plan]", training::plan_field_texts()),
        config::field_table("[goodput]", training::goodput_field_texts())}) {
    EXPECT_NE(text.str().find(table), std::string::npos) << table;
  }
}

}  // namespace
}  // namespace septet::test
