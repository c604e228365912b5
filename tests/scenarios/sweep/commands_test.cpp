// What a sweep asks besides a run: the answers are those of the command itself.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/files/input.hpp"
#include "scenarios/capacity/search.hpp"
#include "scenarios/config/scenario_reader.hpp"
#include "scenarios/config/toml/toml_reader.hpp"
#include "scenarios/explain/kernel_file.hpp"
#include "scenarios/study/hardware_system.hpp"
#include "scenarios/study/recording_study.hpp"
#include "scenarios/sweep/result_table.hpp"
#include "scenarios/sweep/run_sweep.hpp"
#include "scenarios/training/plan.hpp"

namespace septet::sweep {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = SEPTET_SOURCE_DIR;
const fs::path kShipped = kSource / "scenarios/shipped";
const fs::path kTraces = kSource / "data/measurements/h200/traces";

struct Asked {
  explicit Asked(const std::string& toml, const fs::path& file = kShipped / "sweeps/test.toml")
      : tree(config::read_toml(toml, file.string())), text(read_sweep(tree)) {
    scenario = tree;
    std::erase_if(*scenario.table(), [](const auto& entry) { return entry.key == "sweep"; });
    experiment = experiment_of(text.command, scenario, config::data_directories());
    points = points_of(text, scenario, experiment->data_version());
    check_points(*experiment, points_with_new_values(points));
  }

  PointResult answer(std::size_t point) const { return experiment->run(points.all[point], 1); }

  std::string value(std::size_t point, const std::string& output) const {
    const PointResult result = answer(point);
    EXPECT_EQ(result.status, Status::kDone) << result.message;
    const auto& outputs = experiment->outputs();
    const auto found = std::ranges::find(outputs, output, &Output::name);
    const OutputValue& of = result.values.at(static_cast<std::size_t>(found - outputs.begin()));
    const auto* words = std::get_if<std::string>(&of);
    return words != nullptr ? *words : std::to_string(std::get<double>(of));
  }

  config::ConfigValue tree;
  SweepText text;
  config::ConfigValue scenario;
  std::unique_ptr<Experiment> experiment;
  Points points;
};

std::string read_shipped(const std::string& name) {
  return files::read_text((kShipped / name).string());
}

TEST(SweepOfReplays, AnswersAsReplayDoes) {
  const std::string name = "gpt2-batch1-seq1-eager.json.gz";
  const Asked asked(R"(
[sweep]
command = "replay"
[[sweep.axis]]
key = "replay.recording"
files = ["../../../data/measurements/h200/traces/gpt2-batch1-seq1-eager.json.g?"]
[[sweep.axis]]
key = "change"
values = ["", "cuda-graphs"]
)");
  ASSERT_EQ(asked.points.all.size(), 2U);
  study::RecordingStudy recording = study::read_recordings({{kTraces / name}, "", "", "", {}, {}});
  study::Study study(std::move(recording.base));
  study.run_baseline();
  study.run_what_if("cuda-graphs", {});
  EXPECT_EQ(asked.value(0, "measured_us"), std::to_string(to_us(recording.import.measured)));
  EXPECT_EQ(asked.value(0, "simulated_us"),
            std::to_string(to_us(study.result().baseline.summary.span)));
  EXPECT_EQ(asked.value(1, "simulated_us"),
            std::to_string(to_us(study.result().what_ifs.front().summary.span)));
  EXPECT_EQ(asked.value(1, "speedup"), std::to_string(study.result().what_ifs.front().speedup));
  const std::vector<std::string> words = asked.experiment->arguments_of(asked.points.all[1]);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(fs::path(words[0]).filename(), name);
  EXPECT_EQ(words[2], "cuda-graphs");
}

TEST(SweepOfReplays, HardwareOfTheRecordingCanVary) {
  const Asked asked(R"(
[replay]
recording = "../../../data/measurements/h200/traces/gpt2-batch1-seq1-eager.json.gz"
[sweep]
command = "replay"
[[sweep.axis]]
key = "replay.target_gpu"
values = ["h200-sxm", "a100-sxm-80gb"]
)");
  EXPECT_LT(std::stod(asked.value(0, "gpu_busy_us")), std::stod(asked.value(1, "gpu_busy_us")));
}

TEST(SweepOfReplays, MistakesAreFoundBeforeTheFirstReplay) {
  const auto mistake = [](const std::string& axis) {
    try {
      const Asked asked("[sweep]\ncommand = \"replay\"\n[[sweep.axis]]\n" + axis);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(
      mistake("key = \"replay.recording\"\nfiles = [\"none-*.json\"]\n").find("which no file has"),
      std::string::npos);
  EXPECT_NE(mistake("key = \"replay.recording\"\nvalues = [\"none.json\"]\n").find("no such file"),
            std::string::npos);
  EXPECT_NE(mistake("key = \"change\"\nvalues = [\"cuda-graphs\"]\n").find("[replay]"),
            std::string::npos);
}

TEST(SweepOfKernels, AnswersAsExplainDoes) {
  const Asked asked(read_shipped("kernels/vector-add.toml") + R"(
[sweep]
command = "explain"
[[sweep.axis]]
key = "kernel.block"
values = [64, 256]
)");
  const explain::Explanation kernel = explain::explain(explain::read_kernel_file(
      (kShipped / "kernels/vector-add.toml").string(), "", {"kernel.block=64"},
      config::ProfileLibrary(config::data_directories())));
  EXPECT_EQ(asked.value(0, "time_us"), std::to_string(to_us(kernel.stages.total())));
  EXPECT_EQ(asked.value(0, "limiter"), text_of(kernel.time.limiter));
  EXPECT_NE(asked.value(1, "time_us"), asked.value(0, "time_us"));
}

TEST(SweepOfKernels, ABlockThatFitsNoSmIsAResult) {
  // 1024 threads of 128 registers are 131,072, of 65,536 on an SM.
  const Asked asked(read_shipped("kernels/vector-add.toml") + R"(
[sweep]
command = "explain"
[[sweep.axis]]
keys = ["kernel.block", "kernel.registers"]
values = [[1024, 128], [256, 128]]
)");
  EXPECT_EQ(asked.answer(0).status, Status::kInfeasible);
  EXPECT_NE(asked.answer(0).message.find("131072 registers"), std::string::npos);
  EXPECT_EQ(asked.answer(1).status, Status::kDone);
}

TEST(SweepOfKernels, TextsStandInTheTable) {
  const Asked asked(read_shipped("kernels/vector-add.toml") + R"(
[sweep]
command = "explain"
outputs = ["bound"]
[[sweep.axis]]
key = "kernel.block"
values = [256]
)");
  const Results results = {{asked.points.all[0].name, asked.answer(0)}};
  const ResultTable table = table_of(asked.points, results, asked.experiment->outputs(),
                                     asked.text.outputs, asked.text.place.where());
  EXPECT_EQ(csv_of(table), "point,status,kernel.block,bound,message\n" + asked.points.all[0].name +
                               ",done,256,memory,\n");
}

TEST(SweepOfFleets, AnswersAsCapacityDoesAndNoFleetIsAResult) {
  const std::string toml = read_shipped("capacity/chat-8b.toml") + R"(
[sweep]
command = "capacity"
[[sweep.axis]]
key = "arrivals.requests"
values = [20]
[[sweep.axis]]
key = "slo.ttft_p99"
values = ["400 ms", "1 ms"]
)";
  const Asked asked(toml);
  const serving::Libraries libraries(config::data_directories());
  const capacity::CapacityResult fleet = capacity::search_capacity(
      capacity::resolve_search(asked.scenario, {"arrivals.requests=20"}, libraries), libraries, 1);
  ASSERT_TRUE(fleet.best.has_value());
  EXPECT_EQ(asked.value(0, "gpus"), std::to_string(static_cast<double>(fleet.best->gpus)));
  EXPECT_EQ(asked.value(0, "headroom"), std::to_string(fleet.sureness.headroom));
  EXPECT_EQ(asked.answer(1).status, Status::kInfeasible);
  EXPECT_NE(asked.answer(1).message.find(text_of(capacity::LimitKind::kRequestAlone)),
            std::string::npos)
      << asked.answer(1).message;
}

TEST(SweepOfPlans, AnswersAsPlanDoes) {
  const Asked asked(read_shipped("training/8b-8.toml") + R"(
[sweep]
command = "plan"
[[sweep.axis]]
key = "training.seq_length"
values = [4096]
[[sweep.axis]]
key = "plan.tensor"
values = [[1]]
)");
  config::ConfigValue tree = asked.scenario;
  const config::TrainingCase training =
      config::read_training(config::resolve(tree, {"training.seq_length=4096", "plan.tensor=[1]"},
                                            config::ProfileLibrary(config::data_directories())));
  const training::Plan plan = make_plan(training, study::system_of(training.hardware),
                                        training::read_plan(*training.plan), [](double) {});
  EXPECT_EQ(asked.value(0, "step_us"), std::to_string(to_us(plan.best.front().step.time.total)));
  EXPECT_EQ(asked.value(0, "layout"), training::layout_text(plan.best.front().spec));
}

TEST(SweepCommands, TheShippedOnesHaveNoMistakes) {
  for (const fs::directory_entry& entry : fs::directory_iterator(kShipped / "sweeps")) {
    const Asked asked(files::read_text(entry.path().string()), entry.path());
    EXPECT_GE(asked.points.all.size(), 4U) << entry.path();
  }
}

}  // namespace
}  // namespace septet::sweep
