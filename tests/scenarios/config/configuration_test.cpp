#include "scenarios/config/configuration.hpp"

#include "scenarios/config/toml/toml_writer.hpp"
#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

const std::string kText =
    scenario_with("{ launch = \"k\" }",
                  "[gpu.front_end]\nstream_gap = \"3 us\"\nlaunch_latency = \"4 us\"\n"
                  "[[what_if]]\nname = \"w\"\nset = { \"gpu.front_end.stream_gap\" = \"5 us\", "
                  "\"kernel.k.grid\" = 9 }\n");

TEST(Configuration, AWhatIfMayChangeTheProgramWithoutASet) {
  const std::string text =
      scenario_with("{ launch = \"k\" }", "[[what_if]]\nname = \"w\"\nchange = \"one-stream\"\n");
  const WhatIf what_if = scenario_of(text).what_ifs.at(0);
  EXPECT_EQ(what_if.change, "one-stream");
  EXPECT_EQ(what_if.where.line, 12);
  EXPECT_EQ(variations_of(configuration_of(text)).size(), 1U);
}

TEST(Configuration, LaysTheFileOverTheProfileAndSettingsOverTheFile) {
  const gpu::GpuSpec profile = gpu_spec(shipped_profiles().find(ProfileKind::kGpu, "H200", {}, ""));
  const gpu::FrontEndSpec plain = scenario_of(kText).hardware.gpu.front_end;
  EXPECT_EQ(plain.stream_gap, 3_us);
  EXPECT_EQ(plain.launch_latency, 4_us);
  EXPECT_EQ(plain.doorbell_latency, profile.front_end.doorbell_latency);
  const std::vector<std::string> settings = {"gpu.front_end.stream_gap=6 us",
                                             "gpu.front_end.stream_gap=7 us"};
  const gpu::FrontEndSpec set = scenario_of(kText, settings).hardware.gpu.front_end;
  EXPECT_EQ(set.stream_gap, 7_us);  // the later setting wins
  EXPECT_EQ(set.launch_latency, 4_us);
}

TEST(Configuration, LaysWhatIfsOverEverything) {
  const Configuration base = configuration_of(kText, {"gpu.front_end.stream_gap=6 us"});
  const std::vector<Scenario> variations = variations_of(base);
  ASSERT_EQ(variations.size(), 1U);
  EXPECT_EQ(variations[0].hardware.gpu.front_end.stream_gap, 5_us);
  EXPECT_EQ(variations[0].program.kernels.at(0).shape.grid.x, 9U);
  EXPECT_EQ(read_scenario(base).program.kernels.at(0).shape.grid.x, 1U);
}

TEST(Configuration, NamesTheOriginOfEveryLayer) {
  const std::string text = resolved_toml(configuration_of(kText, {"kernel.k.block=64"}));
  EXPECT_NE(text.find("\nstream_gap = \"3 us\"  # test.toml:11\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nblock = 64  # --set\n"), std::string::npos) << text;
  EXPECT_NE(text.find("sm_count = { value = 132, source = "), std::string::npos) << text;
  EXPECT_NE(text.find("/data/hardware/h200-sxm.toml:"), std::string::npos) << text;
}

TEST(Configuration, ReadsBackToItself) {
  const Configuration first = configuration_of(kText, {"kernel.k.block=64", "run.seed=9"});
  const Configuration again = configuration_of(resolved_toml(first));
  EXPECT_TRUE(same_values(first.resolved, again.resolved));
  EXPECT_EQ(read_scenario(again).run.seed, 9U);
  // Printed a second time, only the origins differ.
  EXPECT_EQ(write_toml(first.resolved, Origins::kHidden),
            write_toml(again.resolved, Origins::kHidden));
}

TEST(Configuration, GivesReadHardwareTheNumbersAndTheSettings) {
  const Hardware hardware =
      read_hardware("NVIDIA H200", "", {"host.launch_cost=1 us"}, shipped_profiles(), "--hardware");
  EXPECT_EQ(hardware.gpu.name, "h200-sxm");
  EXPECT_EQ(hardware.host.name, "xeon-h200-host");
  EXPECT_EQ(hardware.host.launch_cost, 1_us);
  EXPECT_EQ(mistake([] { read_hardware("h300", "", {}, shipped_profiles(), "--hardware"); }),
            "--hardware: hardware.gpu: got \"h300\", wanted a GPU profile (" +
                gpu_names(shipped_profiles()) +
                ") (did you mean 'B300' or 'H100' or 'H200' or 'h200'?)");
}

TEST(Configuration, ForgetsSourcedNumbersOfHardwareThatIsNoLongerChosen) {
  const std::string gpu_table = "[gpu]\nsm_count = { value = 100, source = \"test\" }\n";
  const std::string text = scenario_with("{ launch = \"k\" }", gpu_table);
  const Configuration base = configuration_of(text);
  EXPECT_EQ(read_scenario(base).hardware.gpu.sm_count, 100U);
  const WhatIf other{"other", "", read_toml("\"hardware.gpu\" = \"NVIDIA H200\"", "test.toml")};
  EXPECT_EQ(read_scenario(vary(base, other, shipped_profiles())).hardware.gpu.sm_count, 132U);
}

TEST(Configuration, KeepsPlainNumbersWhateverTheHardware) {
  const std::string text = scenario_with("{ launch = \"k\" }", "[gpu]\nsm_count = 100\n");
  const WhatIf other{"other", "", read_toml("\"hardware.gpu\" = \"NVIDIA H200\"", "test.toml")};
  const Configuration varied = vary(configuration_of(text), other, shipped_profiles());
  EXPECT_EQ(read_scenario(varied).hardware.gpu.sm_count, 100U);
}

}  // namespace
}  // namespace septet::config
