#include "models/workload/training/schedule.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace septet::test {
namespace {

using Passes = std::vector<training::Pass>;

TEST(OneForwardOneBackward, AlternatesOnTheLastStage) {
  EXPECT_EQ(training::one_forward_one_backward(3, 4, 2),
            (Passes{{true, 0}, {false, 0}, {true, 1}, {false, 1}}));
}

TEST(OneForwardOneBackward, RunsAheadByTheStagesBehind) {
  EXPECT_EQ(training::one_forward_one_backward(1, 3, 3),
            (Passes{{true, 0}, {true, 1}, {false, 0}, {true, 2}, {false, 1}, {false, 2}}));
}

TEST(OneForwardOneBackward, HasFewerMicrobatchesThanStagesBehind) {
  EXPECT_EQ(training::one_forward_one_backward(0, 8, 1), (Passes{{true, 0}, {false, 0}}));
}

// Every microbatch goes forward once and then backward once; activations of at most as many are
// held as there are stages from here to the end.
TEST(OneForwardOneBackward, HoldsFewActivations) {
  for (std::uint32_t stages = 1; stages <= 8; ++stages) {
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
      for (std::uint32_t microbatches = 1; microbatches <= 20; ++microbatches) {
        std::vector<int> seen(microbatches, 0);
        std::uint32_t held = 0;
        std::uint32_t most = 0;
        for (const training::Pass& pass :
             training::one_forward_one_backward(stage, stages, microbatches)) {
          EXPECT_EQ(seen[pass.microbatch]++, pass.forward ? 0 : 1);
          held += pass.forward ? 1U : -1U;
          most = std::max(most, held);
        }
        EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 2; }));
        EXPECT_EQ(most, std::min(stages - stage, microbatches));
      }
    }
  }
}

}  // namespace
}  // namespace septet::test
