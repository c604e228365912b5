#include "models/gpu/occupancy/ptxas_report.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "tests/models/gpu/occupancy/h200_sm.hpp"

namespace septet::testing {
namespace {

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(gpu::read_ptxas_report(text, "build.log"));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

// As nvcc 13.0 printed it for two architectures (shortened; one line of another program added).
constexpr const char* kCuda13 = R"(ptxas info    : 24 bytes gmem, 8 bytes cmem[4]
ptxas info    : Compiling entry function '_ZN2ns11uses_helperEPf3Bigi' for 'sm_80'
ptxas info    : Function properties for _ZN2ns11uses_helperEPf3Bigi
    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 18 registers, used 0 barriers, 32 bytes cumulative stack size, )"
                                R"(620 bytes cmem[0], 16 bytes cmem[2]
ptxas info    : Compile time = 11.450 ms
ptxas info    : Function properties for _Z6helperf
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
[2/7] Used 3 registers of the shop
ptxas info    : Compiling entry function '_Z6spillsPfi' for 'sm_90'
ptxas info    : Function properties for _Z6spillsPfi
    352 bytes stack frame, 680 bytes spill stores, 716 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 352 bytes cumulative stack size
ptxas info    : Compiling entry function '_Z5scaleIfLi256EEvPT_S0_' for 'sm_90'
ptxas info    : Function properties for _Z5scaleIfLi256EEvPT_S0_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem
)";

TEST(PtxasReport, ReadsSeveralFunctionsOfSeveralArchitectures) {
  const auto functions = gpu::read_ptxas_report(kCuda13, "build.log");
  ASSERT_EQ(functions.size(), 4U);
  EXPECT_EQ(functions[0].symbol, "_ZN2ns11uses_helperEPf3Bigi");
  EXPECT_EQ(functions[0].name, "ns::uses_helper(float*, Big, int)");
  EXPECT_EQ(functions[0].architecture, "sm_80");
  EXPECT_TRUE(functions[0].entry);
  EXPECT_EQ(functions[0].registers, 18U);
  EXPECT_EQ(functions[0].barriers, 0U);
  EXPECT_EQ(functions[0].constants, 636_B);  // 620 of bank 0 and 16 of bank 2
  EXPECT_EQ(functions[0].stack_frame, 32_B);
  EXPECT_EQ(functions[0].cumulative_stack, 32_B);
  EXPECT_EQ(functions[0].line, 2);
  EXPECT_EQ(functions[3].name, "void scale<float, 256>(float*, float)");
  EXPECT_EQ(functions[3].architecture, "sm_90");
  EXPECT_EQ(functions[3].barriers, 1U);
  EXPECT_EQ(functions[3].static_shared, 1_KiB);
}

TEST(PtxasReport, KeepsDeviceFunctionsApartFromTheKernelBeforeThem) {
  const auto functions = gpu::read_ptxas_report(kCuda13, "build.log");
  EXPECT_EQ(functions[1].name, "helper(float)");
  EXPECT_FALSE(functions[1].entry);
  EXPECT_EQ(functions[1].stack_frame, 8_B);
  EXPECT_EQ(functions[0].stack_frame, 32_B);
}

TEST(PtxasReport, ReadsSpills) {
  const auto functions = gpu::read_ptxas_report(kCuda13, "build.log");
  EXPECT_EQ(functions[2].spill_stores, 680_B);
  EXPECT_EQ(functions[2].spill_loads, 716_B);
}

TEST(PtxasReport, ReadsTheSpellingsOfCuda11And12) {
  const std::string head = "ptxas info    : Compiling entry function 'k' for 'sm_70'\n";
  const auto without = gpu::read_ptxas_report(
      head + "ptxas info    : Used 40 registers, 12288 bytes smem, 400 bytes cmem[0], 8 bytes lmem",
      "a");
  EXPECT_EQ(without[0].name, "k");
  EXPECT_EQ(without[0].registers, 40U);
  EXPECT_EQ(without[0].barriers, 0U);
  EXPECT_EQ(without[0].static_shared, 12_KiB);
  EXPECT_EQ(without[0].local, 8_B);
  const auto with = gpu::read_ptxas_report(
      head + "ptxas info    : Used 40 registers, 1 barriers, 12288 bytes smem\r\n", "a");
  EXPECT_EQ(with[0].barriers, 1U);
  EXPECT_EQ(with[0].static_shared, 12_KiB);
}

TEST(PtxasReport, ReadsTheLinkersReport) {
  const auto functions = gpu::read_ptxas_report(
      "nvlink info    : 24 bytes gmem\n"
      "nvlink info    : Function properties for '_Z6spillsPfi':\n"
      "nvlink info    : used 32 registers, used 1 barriers, 352 stack, 2048 bytes smem, 540 bytes "
      "cmem[0], 0 bytes lmem\n",
      "link.log");
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_TRUE(functions[0].entry);
  EXPECT_EQ(functions[0].name, "spills(float*, int)");
  EXPECT_EQ(functions[0].architecture, "");
  EXPECT_EQ(functions[0].registers, 32U);
  EXPECT_EQ(functions[0].cumulative_stack, 352_B);
  EXPECT_EQ(functions[0].static_shared, 2_KiB);
}

TEST(PtxasReport, GivesTheShapeOfALaunch) {
  const auto kernel = gpu::read_ptxas_report(kCuda13, "build.log")[3];
  const program::LaunchShape launch = gpu::shape_of(kernel, {10, 1, 1}, {256, 1, 1}, 2_KiB);
  EXPECT_EQ(launch.registers_per_thread, 10U);
  EXPECT_EQ(launch.static_shared, 1_KiB);
  EXPECT_EQ(launch.dynamic_shared, 2_KiB);
  EXPECT_EQ(occupancy_of(h200_sm(), launch).blocks_per_sm, 8U);  // 64 warps / 8
}

TEST(PtxasReport, LeavesNamesThatAreNotMangledAlone) {
  EXPECT_EQ(gpu::demangled("plain"), "plain");
  EXPECT_EQ(gpu::demangled("i"), "i");  // alone it would be a mangled int
  EXPECT_EQ(gpu::demangled("_Zbroken"), "_Zbroken");
}

TEST(PtxasReport, RefusesATextWithoutKernels) {
  EXPECT_EQ(refusal(""), "build.log: no kernel in this report, wanted the output of ptxas -v");
  EXPECT_EQ(refusal("ptxas info    : 0 bytes gmem\n"),
            "build.log: no kernel in this report, wanted the output of ptxas -v");
}

TEST(PtxasReport, RefusesAReportThatEndsBeforeTheRegisters) {
  EXPECT_EQ(refusal("\nptxas info    : Compiling entry function '_Z1kv' for 'sm_90'\n"),
            "build.log:2: ptxas report: got 'k()' without its registers, wanted a line 'Used N "
            "registers' after it");
}

TEST(PtxasReport, RefusesNumbersItCannotRead) {
  const std::string head = "ptxas info    : Compiling entry function 'k' for 'sm_90'\n";
  EXPECT_EQ(refusal(head + "ptxas info    : Used many registers\n"),
            "build.log:2: ptxas report: got many, wanted a whole number");
  EXPECT_NE(refusal(head + "ptxas info    : Used 99999999999 registers\n"), "none");
  EXPECT_NE(refusal(head + "ptxas info    : Used -1 registers\n"), "none");
}

TEST(PtxasReport, RefusesResourcesOfNoFunction) {
  EXPECT_EQ(refusal("    8 bytes stack frame, 0 bytes spill stores\n"),
            "build.log:1: ptxas report: got 8 bytes stack frame, 0 bytes spill stores, wanted the "
            "function's name before its resources");
}

// Whatever happens to a report, reading gives functions or a ConfigError.
TEST(PtxasReport, SurvivesDamage) {
  const unsigned seed = 4711;
  std::mt19937 random(seed);
  const std::string whole = kCuda13;
  int refused = 0;
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    refused += refusal(whole.substr(0, cut)) != "none" ? 1 : 0;
  }
  EXPECT_GT(refused, 100);
  for (int i = 0; i < 5'000; ++i) {
    std::string text = whole;
    for (int flips = 0; flips < 4; ++flips) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    text.erase(random() % text.size(), random() % 40);
    EXPECT_NO_THROW(static_cast<void>(refusal(text))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace septet::testing
