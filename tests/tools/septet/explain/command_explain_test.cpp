// The command as people call it: exit codes, and what is printed where.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/septet/command_result.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/exit_code.hpp"
#include "tools/septet/text_width.hpp"

namespace septet::testing {
namespace {

Result run(const std::vector<std::string>& arguments) {
  return run_command_line({"explain", "", command::command_explain}, arguments);
}

std::string shipped(const std::string& name) {
  return std::string(SEPTET_SOURCE_DIRECTORY) + "/scenarios/shipped/kernels/" + name + ".toml";
}

nlohmann::ordered_json json_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  return nlohmann::ordered_json::parse(run(arguments).out);
}

TEST(ExplainCommand, JsonHasItsKeysAndStagesThatAddUp) {
  const auto json = json_of({shipped("vector-add")});
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"time_us", "limiter", "stages", "metrics", "advice",
                                            "gpu", "name", "launch", "warnings", "provenance"}));
  const auto& inputs = json.at("provenance").at("inputs");
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0].at("file"), "vector-add.toml");
  EXPECT_EQ(inputs[1].at("file"), json.at("gpu").get<std::string>() + ".toml");
  ASSERT_EQ(json.at("stages").size(), 7U);
  double time = 0;
  double share = 0;
  for (const auto& stage : json.at("stages")) {
    time += stage.at("time_us").get<double>();
    share += stage.at("share").get<double>();
  }
  EXPECT_NEAR(time, json.at("time_us").get<double>(), 1e-9);
  EXPECT_NEAR(share, 1.0, 1e-12);
  EXPECT_EQ(json.at("limiter"), "DRAM");
  EXPECT_EQ(json.at("metrics").at("bound"), "memory");
  for (const auto& advice : json.at("advice")) {
    EXPECT_NEAR(advice.at("speedup").get<double>(),
                json.at("time_us").get<double>() / advice.at("time_us").get<double>(), 1e-9);
  }
}

TEST(ExplainCommand, SettingsGiveWhatTheAdvicePredicted) {
  const auto before = json_of({shipped("register-heavy-fma")});
  const auto after = json_of({shipped("register-heavy-fma"), "--set", "kernel.registers=128"});
  bool found = false;
  for (const auto& advice : before.at("advice")) {
    if (!contains(advice.at("change"), "at most 128 registers")) continue;
    found = true;
    EXPECT_EQ(advice.at("time_us"), after.at("time_us"));
  }
  EXPECT_TRUE(found) << before.dump(2);
}

TEST(ExplainCommand, TextHasStagesLimiterMetricsAndAdvice) {
  const Result r = run({shipped("transpose-conflicts"), "--gpu", "H200"});
  EXPECT_EQ(r.code, command::kExitOk) << r.errors;
  EXPECT_TRUE(contains(r.out, "7 memory access")) << r.out;
  EXPECT_TRUE(contains(r.out, "memory-bound, limited by shared memory")) << r.out;
  EXPECT_TRUE(contains(r.out, "achieved occupancy")) << r.out;
  EXPECT_TRUE(contains(r.out, "pad shared memory")) << r.out;
  // What 100 % of DRAM is: kernel.memory.dram_bandwidth, not the peak of 4.8 TB/s.
  EXPECT_TRUE(contains(r.out, "streaming reads of 4600 GB/s")) << r.out;
  EXPECT_FALSE(contains(r.out, "\x1b")) << "no terminal, no colour";
}

TEST(ExplainCommand, TextIsAsWideAsTheTerminal) {
  ASSERT_EQ(setenv("COLUMNS", "60", 1), 0);
  const Result r = run({shipped("register-heavy-fma")});
  unsetenv("COLUMNS");
  std::istringstream lines(r.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(command::text_width(line), 60U) << line;
}

TEST(ExplainCommand, WarnsOnStandardErrorOutsideTheValidatedRange) {
  const Result r = run({shipped("transpose-conflicts"), "--json"});
  EXPECT_EQ(r.code, command::kExitOk);
  EXPECT_TRUE(contains(r.errors, "mean ways of bank conflicts: 16.5 is above")) << r.errors;
  ASSERT_TRUE(nlohmann::json::accept(r.out));
  const auto warnings = nlohmann::json::parse(r.out).at("warnings");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(contains(warnings[0], "mean ways of bank conflicts: 16.5 is above"));
  EXPECT_EQ(run({shipped("vector-add")}).errors, "");
}

std::string report() {
  return std::string(SEPTET_SOURCE_DIRECTORY) + "/data/measurements/h200/kernels/gpt2-1-128.csv";
}

TEST(ExplainCommand, OfOneRowOfAReportComparesWithTheProfiler) {
  const auto json = json_of({report(), "--id", "0", "--gpu", "h200-sxm"});
  // The row says 3,168 ns.
  EXPECT_DOUBLE_EQ(json.at("metrics").at("measured_us"), 3.168);
  EXPECT_NEAR(json.at("metrics").at("profiler_time_us"), 3.168, 0.5 * 3.168);
  EXPECT_EQ(json.at("stages").size(), 7U);
}

TEST(ExplainCommand, OfAReportIsATableOfItsRows) {
  const Result table = run({report()});
  EXPECT_EQ(table.code, command::kExitOk) << table.errors;
  EXPECT_TRUE(contains(table.out, "vectorized_gather_kernel")) << table.out;
  EXPECT_TRUE(contains(table.errors, "names no device, assuming h200-sxm")) << table.errors;
  const auto json = json_of({report(), "--kernel", "nvjet"});
  ASSERT_GT(json.at("kernels").size(), 1U);
  for (const auto& row : json.at("kernels")) EXPECT_TRUE(contains(row.at("name"), "nvjet"));
}

TEST(ExplainCommand, OfAnOperatorHasTheSameKeys) {
  const auto json =
      json_of({"--op", "gemm", "--m", "4096", "--n", "4096", "--k", "4096", "--dtype", "bf16"});
  EXPECT_EQ(json.at("metrics").at("bound"), "compute");
  EXPECT_EQ(json.at("metrics").at("limiting_pipe"), "tensor");
  EXPECT_TRUE(json.at("metrics").at("achieved_occupancy_pct").is_null());
  // 2 x 4096^3 operations.
  EXPECT_DOUBLE_EQ(json.at("metrics").at("operations"), 2.0 * 4096 * 4096 * 4096);
  EXPECT_TRUE(json.at("warnings").empty());
  const auto b200 =
      json_of({"--op", "gemm", "--m", "4096", "--n", "4096", "--k", "4096", "--gpu", "b200-sxm"});
  EXPECT_TRUE(contains(b200.at("warnings").at(0), "b200-sxm: "));
  EXPECT_TRUE(contains(b200.at("warnings").at(0), " parameters are guesses"));
  EXPECT_TRUE(contains(b200.at("warnings").at(1), "b200-sxm: never compared"));
}

TEST(ExplainCommand, WritesPlots) {
  const std::string folder = ::testing::TempDir() + "/explain-plots";
  const Result r = run({report(), "--kernel", "nvjet", "--plots", folder});
  EXPECT_EQ(r.code, command::kExitOk) << r.errors;
  for (const char* name : {"roofline.svg", "stages.svg"}) {
    std::ifstream file(folder + "/" + name);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_TRUE(text.starts_with("<svg ")) << name;
    EXPECT_TRUE(text.ends_with("</svg>\n")) << name;
    EXPECT_TRUE(contains(text, "nvjet")) << name;
  }
  EXPECT_EQ(run({report(), "--plots", "/proc/none"}).code, command::kExitFailure);
}

TEST(ExplainCommand, TakesOneFileOrAnOperator) {
  EXPECT_EQ(run({shipped("vector-add"), "--op", "gemm"}).code, command::kExitUsage);
  EXPECT_EQ(run({shipped("vector-add"), "--id", "3"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--m", "4"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--op", "gemm", "--m", "4"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--op", "gemm", "--m", "4", "--n", "0", "--k", "8"}).code, command::kExitUsage);
  EXPECT_EQ(run({report(), "--id", "100000"}).code, command::kExitInput);
}

TEST(ExplainCommand, MistakesHaveTheirExitCodes) {
  EXPECT_EQ(run({}).code, command::kExitUsage);
  EXPECT_EQ(run({shipped("vector-add"), "--sett", "a=1"}).code, command::kExitUsage);
  EXPECT_EQ(run({shipped("no-such-kernel")}).code, command::kExitInput);
  EXPECT_EQ(run({shipped("vector-add"), "--gpu", "h2000"}).code, command::kExitUsage);
  const Result blocks = run({shipped("vector-add"), "--set", "kernel.grid=0"});
  EXPECT_EQ(blocks.code, command::kExitUsage);
  EXPECT_TRUE(contains(blocks.errors, "kernel.grid: got the integer 0")) << blocks.errors;
  const Result registers =
      run({shipped("vector-add"), "--set", "kernel.block=1024", "--set", "kernel.registers=65"});
  EXPECT_EQ(registers.code, command::kExitInput);
  EXPECT_TRUE(contains(registers.errors, "takes 73728 registers, an SM has 65536"));
}

TEST(ExplainCommand, HelpHasAnExample) {
  const Result r = run({"--help"});
  EXPECT_EQ(r.code, command::kExitOk);
  EXPECT_TRUE(contains(r.out, "Example:\n  septet explain ")) << r.out;
}

}  // namespace
}  // namespace septet::testing
