// What reusing and shortening steps changes: nothing but lengths of attention, within their bound.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "scenarios/serving/serving_run.hpp"
#include "tests/scenarios/serving/testing.hpp"

namespace septet::serving {
namespace {

ScenarioRun run_of(const std::string& input, bool exact) {
  const std::string text = "[arrivals]\nrate = 20\nrequests = 4\ninput = " + input +
                           "\noutput = { tokens = 6 }\n[hardware]\ngpu = \"h100-sxm\"\n"
                           "[serving]\nmodel = \"llama-3.2-1b\"\nengine = \"vllm-v1\"\nexact = " +
                           (exact ? "true\n" : "false\n");
  return run_scenario(configuration_of(text), shipped_libraries(), 1);
}

// Lengths up to 32 are their own steps of 1/32 of a power of two.
TEST(ExactServing, ShortRequestsAreTheSameToThePicosecond) {
  const ScenarioRun exact = run_of("{ tokens = 16 }", true);
  const ScenarioRun reused = run_of("{ tokens = 16 }", false);
  ASSERT_EQ(exact.run.result.requests.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(exact.run.result.requests[i].first_token, reused.run.result.requests[i].first_token);
    EXPECT_EQ(exact.run.result.requests[i].finished, reused.run.result.requests[i].finished);
  }
}

// Attention alone is off by at most 1/64, so a step is too.
TEST(ExactServing, LongRequestsAreWithinTheBoundOfRounding) {
  const std::string input = "{ distribution = \"uniform\", least = 100, most = 3000 }";
  const ScenarioRun exact = run_of(input, true);
  const ScenarioRun reused = run_of(input, false);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& a = exact.run.result.requests[i];
    const auto& b = reused.run.result.requests[i];
    EXPECT_NEAR(ratio(b.finished - b.sent, a.finished - a.sent), 1, 1.0 / 64) << i;
    EXPECT_NEAR(ratio(b.first_token - b.sent, a.first_token - a.sent), 1, 1.0 / 64) << i;
  }
}

}  // namespace
}  // namespace septet::serving
