// The command as people call it: exit codes, and what is printed where.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/tools/septet/command_result.hpp"
#include "tools/septet/commands.hpp"
#include "tools/septet/exit_code.hpp"

namespace septet::testing {
namespace {

Result run(const std::vector<std::string>& arguments) {
  return run_command_line({"occupancy", "", command::command_occupancy}, arguments);
}

// A report of two kernels for two architectures in a file that the test's end removes.
class OccupancyCommandReport : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(path_) << "ptxas info    : Compiling entry function '_Z1av' for 'sm_80'\n"
                            "ptxas info    : Used 24 registers, 352 bytes cmem[0]\n"
                            "ptxas info    : Compiling entry function '_Z1av' for 'sm_90'\n"
                            "ptxas info    : Used 64 registers, used 1 barriers, 8192 bytes smem\n"
                            "ptxas info    : Compiling entry function '_Z1bv' for 'sm_90'\n"
                            "ptxas info    : Used 128 registers, used 2 barriers\n";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // One file a test, since tests run beside each other.
  std::string path_ = ::testing::TempDir() + "septet_occupancy_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".txt";
};

TEST(OccupancyCommand, AnswersInTextAndInJson) {
  const Result text = run({"--gpu", "h200-sxm", "--block", "256", "--registers", "40", "--shared",
                           "48 KiB", "--grid", "1056"});
  EXPECT_EQ(text.code, command::kExitOk) << text.errors;
  EXPECT_TRUE(contains(text.out, "4 blocks on an SM")) << text.out;
  EXPECT_TRUE(contains(text.out, "1056 blocks on 528 slots are 2.00 waves: 2 full, no tail"));
  EXPECT_EQ(text.errors, "");
  const Result json = run({"--block", "256", "--registers", "40", "--shared", "48 KiB", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("blocks_per_sm"), 4);
}

TEST(OccupancyCommand, TakesBlocksOfThreeDimensionsAndACarveout) {
  // 8 x 8 x 4 = 256 threads; 3 KiB + 1 KiB a block in a carve-out of 16 KiB.
  const Result r = run({"--block", "8,8,4", "--registers", "32", "--dynamic-shared", "3 KiB",
                        "--carveout", "9 KiB", "--json"});
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json.at("allocated").at("carveout_bytes"), 16 * 1024);
  EXPECT_EQ(json.at("blocks_per_sm"), 4);
}

TEST(OccupancyCommand, CountsClusters) {
  // One block on an SM: 227 KiB. Two GPCs of 66 SMs hold 8 clusters of 8 each.
  const std::vector<std::string> launch = {"--block",          "256",     "--registers", "32",
                                           "--dynamic-shared", "227 KiB", "--cluster",   "8",
                                           "--grid",           "800",     "--json"};
  const auto bound = nlohmann::json::parse(run(launch).out);
  EXPECT_EQ(bound.at("clusters").at("clusters"), 16);  // 132 / 8
  EXPECT_EQ(bound.at("clusters").at("upper_bound"), true);
  auto exact = launch;
  exact.insert(exact.end(), {"--gpc-sms", "60,72"});
  const auto counted = nlohmann::json::parse(run(exact).out);
  EXPECT_EQ(counted.at("clusters").at("clusters"), 7 + 9);
  EXPECT_EQ(counted.at("clusters").at("upper_bound"), false);
}

TEST(OccupancyCommand, MistakesOfTheCommandLineEndWithTwo) {
  EXPECT_EQ(run({"--registers", "40"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--block", "256"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--block", "0", "--registers", "40"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--block", "1,1,65", "--registers", "40"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--block", "8,8,8,8", "--registers", "40"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--block", "256,", "--registers", "40"}).code, command::kExitUsage);
  EXPECT_EQ(run({"--block", "256", "--registers", "40", "--arch", "sm_90"}).code,
            command::kExitUsage);
  EXPECT_EQ(run({"--block", "256", "--registers", "40", "--barriers", "17"}).code,
            command::kExitUsage);
  const Result unit = run({"--block", "256", "--registers", "40", "--shared", "48"});
  EXPECT_EQ(unit.code, command::kExitUsage);
  EXPECT_TRUE(contains(unit.errors, "--shared: got \"48\" without a unit")) << unit.errors;
}

TEST(OccupancyCommand, LaunchesThatCannotBeEndWithThree) {
  const Result registers = run({"--block", "1024", "--registers", "65"});
  EXPECT_EQ(registers.code, command::kExitInput);
  EXPECT_TRUE(contains(registers.errors, "takes 73728 registers, an SM has 65536"));
  EXPECT_EQ(registers.out, "");
  EXPECT_EQ(run({"--block", "256", "--registers", "256"}).code, command::kExitInput);
  EXPECT_EQ(run({"--block", "256", "--registers", "40", "--shared", "228 KiB"}).code,
            command::kExitInput);
  const Result json = run({"--block", "1024", "--registers", "65", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out).at("error").at("exit_code"), 3);
}

TEST(OccupancyCommand, AnUnknownGpuIsAMistakeOfTheCommandLine) {
  const Result r = run({"--gpu", "h200-smx", "--block", "256", "--registers", "40"});
  EXPECT_EQ(r.code, command::kExitUsage);
  EXPECT_TRUE(contains(r.errors, "h200-sxm")) << r.errors;  // the near miss
}

TEST_F(OccupancyCommandReport, ListsSeveralKernels) {
  const Result r = run({"--block", "256", "--ptxas", path_});
  EXPECT_EQ(r.code, command::kExitOk) << r.errors;
  EXPECT_TRUE(contains(r.out, "sm_80")) << r.out;
  const auto json = nlohmann::json::parse(run({"--block", "256", "--ptxas", path_, "--json"}).out);
  ASSERT_EQ(json.at("kernels").size(), 3U);
  EXPECT_EQ(json.at("kernels").at(2).at("kernel"), "b()");
  EXPECT_EQ(json.at("kernels").at(2).at("blocks_per_sm"), 2);  // 16 warps of 128 registers
}

TEST_F(OccupancyCommandReport, AnswersInFullForOneKernel) {
  const Result r = run({"--block", "256", "--ptxas", path_, "--kernel", "a(", "--arch", "sm_90",
                        "--dynamic-shared", "1 KiB", "--json"});
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json.at("kernel"), "a()");
  EXPECT_EQ(json.at("launch").at("registers_per_thread"), 64);
  EXPECT_EQ(json.at("allocated").at("shared_bytes_per_block"), (8 + 1 + 1) * 1024);
}

TEST_F(OccupancyCommandReport, RefusesWhatItCannotUse) {
  EXPECT_EQ(run({"--block", "256", "--ptxas", path_, "--registers", "40"}).code,
            command::kExitUsage);
  EXPECT_EQ(run({"--block", "256", "--ptxas", path_ + ".missing"}).code, command::kExitInput);
  EXPECT_EQ(run({"--block", "256", "--ptxas", ::testing::TempDir()}).code, command::kExitInput);
  const Result none = run({"--block", "256", "--ptxas", path_, "--kernel", "c"});
  EXPECT_EQ(none.code, command::kExitInput);
  EXPECT_TRUE(contains(none.errors, "sm_90 b()")) << none.errors;
  // One kernel that cannot run with this block: the error points into the report.
  const Result line = run({"--block", "1024", "--ptxas", path_, "--kernel", "b"});
  EXPECT_EQ(line.code, command::kExitInput);
  EXPECT_TRUE(contains(line.errors, path_ + ":5: ")) << line.errors;
}

}  // namespace
}  // namespace septet::testing
