#include "scenarios/config/hardware_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/scenarios/config/testing.hpp"

namespace septet::config {
namespace {

const std::string kScenario =
    std::string(SEPTET_SOURCE_DIRECTORY) + "/scenarios/shipped/eager-chain.toml";

TEST(HardwareText, ListsEveryProfileOnALine) {
  const std::string text = hardware_list_text(shipped_profiles());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            static_cast<std::ptrdiff_t>(shipped_profiles().all().size()));
  EXPECT_NE(text.find("h200-sxm"), std::string::npos);
}

TEST(HardwareText, ShowsValuesWithUnitsAndSources) {
  const std::string text = hardware_text(shipped_profiles(), "nvidia h200");
  EXPECT_NE(text.find("4.8 TB/s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("data sheet\n"), std::string::npos) << text;
  EXPECT_NE(text.find("sm.max_warps"), std::string::npos) << text;
}

TEST(HardwareText, SuggestsANearNameOfAGpuOrAHost) {
  EXPECT_EQ(mistake([] { hardware_text(shipped_profiles(), "xeon-h20"); }),
            "hardware: got \"xeon-h20\", wanted a profile (" + gpu_names(shipped_profiles()) +
                ", " + host_names(shipped_profiles()) + ") (did you mean 'xeon-h200'?)");
}

TEST(HardwareText, AsJsonHoldsEveryNumberWithItsSource) {
  const auto json = nlohmann::json::parse(hardware_json(shipped_profiles(), "h200-sxm"));
  EXPECT_EQ(json["name"], "h200-sxm");
  EXPECT_EQ(json["host"], "xeon-h200-host");
  EXPECT_EQ(json["numbers"]["memory_bandwidth"]["value"], "4.8 TB/s");
  for (const auto& [key, number] : json["numbers"].items()) {
    EXPECT_FALSE(number["source"].get<std::string>().empty()) << key;
  }
  const auto list = nlohmann::json::parse(hardware_list_json(shipped_profiles()));
  EXPECT_EQ(list.size(), shipped_profiles().all().size());
}

TEST(ConfigText, IsTheResolvedConfiguration) {
  const std::string text = config_text(kScenario, {"kernel.step.block=64"}, shipped_profiles());
  EXPECT_NE(text.find("block = 64  # --set"), std::string::npos) << text;
  const auto json =
      nlohmann::json::parse(config_json(kScenario, {"kernel.step.block=64"}, shipped_profiles()));
  EXPECT_EQ(json["resolved"]["kernel"][0]["block"], 64);
  EXPECT_EQ(json["origins"]["kernel.step.block"], "--set");
  EXPECT_EQ(json["resolved"]["gpu"]["l2"]["value"], "60 MiB");
}

TEST(ConfigText, ChecksWhatIfsAsWell) {
  const std::string setting = "what_if.0.set.kernel.step.gird=2";
  EXPECT_EQ(mistake([&] { config_text(kScenario, {setting}, shipped_profiles()); }),
            "--set: kernel.step.gird: got an unknown key, wanted one of: name, grid, block, "
            "registers, static_shared, dynamic_shared, once, wave, cluster, arguments, block_time, "
            "by_clock, prologue, duration, queue, items, segments, op (did you mean 'grid'?)");
}

}  // namespace
}  // namespace septet::config
