#include "scenarios/serving/price_list.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

PriceList list_of(const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "ours.toml";
  std::ofstream(file) << "description = \"ours\"\nprovider = \"gpu-cloud\"\ncurrency = \"EUR\"\n"
                      << text;
  return read_price_list(file);
}

std::string mistake_in(const std::string& text) {
  try {
    list_of(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no mistake";
}

constexpr const char* kPrice =
    "[[price]]\ngpu = \"h100-sxm\"\ngpu_hour = { value = 2, source = \"contract\" }\n"
    "date = \"2026-11-09\"\n";

TEST(PriceList, EveryShippedPriceIsOfAKnownGpuAndHasASource) {
  ASSERT_FALSE(shipped_libraries().prices.all().empty());
  for (const PriceList& list : shipped_libraries().prices.all()) {
    for (const GpuPrice& price : list.prices) {
      const config::Profile profile =
          shipped_libraries().hardware.find(config::ProfileKind::kGpu, price.gpu, {}, "gpu");
      EXPECT_EQ(profile.name, price.gpu) << list.name;
      EXPECT_FALSE(price.source.empty()) << list.name << " " << price.gpu;
      EXPECT_GT(price.gpu_hour, 0) << list.name << " " << price.gpu;
    }
  }
}

TEST(PriceList, APriceNeedsASourceAndADayAndStandsOnce) {
  EXPECT_EQ(list_of(kPrice).prices.at(0).gpu_hour, 2);
  EXPECT_NE(mistake_in("[[price]]\ngpu = \"h100-sxm\"\ngpu_hour = 2\ndate = \"2026-11-09\"\n")
                .find("a number without a source"),
            std::string::npos);
  EXPECT_NE(mistake_in("[[price]]\ngpu = \"a\"\ngpu_hour = { value = 2, source = \"s\" }\n"
                       "date = \"November\"\n")
                .find("wanted a day such as"),
            std::string::npos);
  EXPECT_NE(mistake_in(std::string(kPrice) + kPrice).find("one price for each GPU"),
            std::string::npos);
}

TEST(PriceList, AScenarioTakesThePriceOfItsGpu) {
  const ServingCase serving = case_of_text(scenario_text("prices = \"aws\"\n"));
  EXPECT_EQ(serving.gpu_cost.price->gpu, "h100-sxm");
  EXPECT_EQ(serving.gpu_cost.currency, "USD");
  EXPECT_NE(mistake_of(scenario_text("prices = \"asw\"\n")).find("did you mean 'aws'?"),
            std::string::npos);
  EXPECT_NE(mistake_of(scenario_text("prices = \"aws\"\n"), {"hardware.gpu=l4"})
                .find("serving.prices: got \"aws\", without l4"),
            std::string::npos);
  EXPECT_NE(mistake_of(scenario_text("prices = \"aws\"\ngpu_hour_price = 2\n")).find("one of both"),
            std::string::npos);
}

TEST(PriceList, ALimitOfPriceNeedsPrices) {
  EXPECT_EQ(mistake_of(scenario_text("[slo]\nbudget = 5\n")),
            "s.toml:12:10: slo.budget: got a limit without prices, wanted serving.prices or "
            "serving.gpu_hour_price");
}

}  // namespace
}  // namespace septet::serving
