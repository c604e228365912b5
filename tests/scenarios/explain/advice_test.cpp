#include "scenarios/explain/advice.hpp"

#include <gtest/gtest.h>

#include "scenarios/explain/explain.hpp"
#include "scenarios/explain/kernel_file.hpp"
#include "tests/scenarios/explain/shipped_kernels.hpp"

namespace septet::testing {
namespace {

TEST(Advice, EachPredictedGainIsThatOfARerun) {
  for (const char* name : kShippedKernels) {
    const explain::ExplainQuestion q = shipped_kernel(name);
    const explain::Explanation before = explain::explain(q.gpu, q.host, q.kernel);
    ASSERT_FALSE(before.advice.empty()) << name;
    for (const explain::Advice& advice : before.advice) {
      const explain::Explanation after = explain::explain(q.gpu, q.host, advice.change.kernel);
      EXPECT_EQ(advice.time, after.stages.total()) << advice.change.text;
      EXPECT_DOUBLE_EQ(advice.speedup, ratio(before.stages.total(), after.stages.total()));
    }
  }
}

TEST(Advice, ComesInOrderOfGainAndGainsMoreThanOnePerCent) {
  for (const char* name : kShippedKernels) {
    const explain::ExplainQuestion q = shipped_kernel(name);
    double last = 1e9;
    for (const explain::Advice& advice : advice_for(q.gpu, q.host, q.kernel)) {
      EXPECT_LE(advice.speedup, last) << name;
      EXPECT_GT(advice.speedup, 1.01) << name;
      last = advice.speedup;
    }
  }
}

bool advises(const explain::ExplainQuestion& q, const std::string& words) {
  for (const explain::Advice& advice : advice_for(q.gpu, q.host, q.kernel)) {
    if (advice.change.text.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(Advice, SaysWhatTheExamplesSufferFrom) {
  EXPECT_TRUE(advises(shipped_kernel("transpose-conflicts"), "pad shared memory"));
  EXPECT_TRUE(advises(shipped_kernel("register-heavy-fma"), "at most 128 registers"));
  EXPECT_TRUE(advises(shipped_kernel("register-heavy-fma"), "let neighbouring threads"));
  EXPECT_TRUE(advises(shipped_kernel("vector-add"), "loads and stores of 16 bytes"));
}

TEST(Advice, OnceFollowedIsNotRepeated) {
  explain::ExplainQuestion q = shipped_kernel("transpose-conflicts");
  q.kernel.segments[0].segment.shared_wavefronts = 0;
  EXPECT_FALSE(advises(q, "pad shared memory"));
}

TEST(Explanation, LimitersOfTheExamplesAreTheirs) {
  const auto limiter = [](const char* name) {
    const explain::ExplainQuestion q = shipped_kernel(name);
    return explain::explain(q.gpu, q.host, q.kernel).time.limiter;
  };
  EXPECT_EQ(limiter("vector-add"), gpu::Bottleneck::kDram);
  EXPECT_EQ(limiter("transpose-conflicts"), gpu::Bottleneck::kSharedMemory);
  EXPECT_EQ(limiter("register-heavy-fma"), gpu::Bottleneck::kMemoryLatency);
}

}  // namespace
}  // namespace septet::testing
