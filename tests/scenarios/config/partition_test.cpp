// Shares of the SMs: processes under MPS, green contexts.
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

std::string with_context(const std::string& sm_count, const std::string& more = "") {
  return scenario_with("{ launch = \"k\", stream = \"s\" }",
                       "[[green_context]]\nname = \"c\"\nsm_count = " + sm_count + "\n" + more);
}

TEST(GreenContexts, GiveTheirStreamsDeviceProcessAndPartition) {
  const std::string more = "process = 1\ndevice = 1\n[[stream]]\nname = \"g\"\ncontext = \"c\"\n";
  const Scenario scenario = scenario_of(with_context("64", more), {"hardware.gpus=2"});
  ASSERT_EQ(scenario.program.contexts.size(), 1U);
  EXPECT_EQ(scenario.program.contexts[0].sm_count, 64U);
  EXPECT_EQ(scenario.program.streams.at(0).context, kNone);
  const program::Stream& stream = scenario.program.streams.at(1);
  EXPECT_EQ(stream.context, 0U);
  EXPECT_EQ(stream.device, 1U);
  EXPECT_EQ(stream.process, 1U);
}

// An H200 makes contexts of at least 8 SMs, in multiples of 8, out of 132.
TEST(GreenContexts, HaveASizeThatTheGpuCanMake) {
  EXPECT_EQ(mistake_in(with_context("8")), "no mistake");
  EXPECT_EQ(mistake_in(with_context("7")),
            "test.toml:12:12: green_context.c.sm_count: got 7, wanted at least 8 on this GPU");
  EXPECT_EQ(mistake_in(with_context("66")),
            "test.toml:12:12: green_context.c.sm_count: got 66, wanted a multiple of 8 on this "
            "GPU, such as 64 or 72");
}

TEST(GreenContexts, FitTheGpuTogether) {
  const std::string second = "[[green_context]]\nname = \"d\"\nsm_count = ";
  EXPECT_EQ(mistake_in(with_context("64", second + "64\n")), "no mistake");
  EXPECT_EQ(
      mistake_in(with_context("64", second + "72\n")),
      "test.toml:15:12: green_context.d.sm_count: got 72, with the contexts before it 136 SMs "
      "in all, wanted at most the 132 SMs of process 0");
}

TEST(GreenContexts, AreNotMixedUp) {
  EXPECT_EQ(mistake_in(with_context("64", "[[stream]]\nname = \"g\"\ncontext = \"cc\"\n")),
            "test.toml:15:11: stream.g.context: got \"cc\", wanted the name of a green context "
            "(c)");
  EXPECT_EQ(
      mistake_in(with_context("64", "[[stream]]\nname = \"g\"\ncontext = \"c\"\nprocess = 1\n")),
      "test.toml:16:11: stream.g.process: got 1, wanted the process of context 'c', 0");
}

TEST(Processes, MayUseAShareOfTheSmsUnderMps) {
  const std::string share = "[[process]]\nindex = 0\nsm_share = 0.5\n";
  const std::string text = scenario_with("{ launch = \"k\" }", share);
  const Hardware hardware = scenario_of(text, {"hardware.mps=true"}).hardware;
  EXPECT_TRUE(hardware.mps);
  EXPECT_EQ(hardware.sm_shares, std::vector<double>{0.5});
  EXPECT_EQ(mistake_in(text),
            "test.toml:12:12: process.0.sm_share: got a share of the SMs without MPS, wanted "
            "hardware.mps = true, since time-sliced processes have all SMs");
}

TEST(Processes, HaveAShareOfAtMostAll) {
  EXPECT_EQ(
      mistake_in(scenario_with("{ launch = \"k\" }", "[[process]]\nindex = 0\nsm_share = 50\n")),
      "test.toml:12:12: process.0.sm_share: got the integer 50, wanted a number from 0.001 to "
      "1");
}

TEST(Processes, AreDescribedOnceEachAndExist) {
  const std::vector<std::string> mps = {"hardware.mps=true"};
  const std::string one = "[[process]]\nindex = 0\n";
  EXPECT_EQ(
      mistake_in(scenario_with("{ launch = \"k\" }", one + one), mps),
      "test.toml:13:9: process.1.index: got 0 for the second time, wanted one [[process]] for "
      "each");
  EXPECT_EQ(mistake_in(scenario_with("{ launch = \"k\" }", "[[process]]\nindex = 3\n"), mps),
            "test.toml:11:9: process.0.index: got 3, wanted a process with streams or threads, of "
            "which there are 1");
}

// A context in a process with a share lies inside the share: 25 % of 132 SMs are 33, rounded up to
// 34, which hold 32 but not 40.
TEST(Processes, WithAShareHaveRoomForSmallerContexts) {
  const std::string share = "[[process]]\nindex = 0\nsm_share = 0.25\n";
  const std::vector<std::string> mps = {"hardware.mps=true"};
  EXPECT_EQ(mistake_in(with_context("32", share), mps), "no mistake");
  EXPECT_EQ(mistake_in(with_context("40", share), mps),
            "test.toml:12:12: green_context.c.sm_count: got 40, with the contexts before it 40 SMs "
            "in all, wanted at most the 34 SMs of process 0");
}

}  // namespace
}  // namespace septet::config
