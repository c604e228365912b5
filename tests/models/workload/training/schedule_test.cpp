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

// Two stages with two chunks each: groups of two microbatches through one chunk after the other;
// stage 0 runs 2 (2 - 0 - 1) + (2 - 1) 2 = 4 passes ahead, backward chunks come last first.
TEST(Interleaved, TakesGroupsOfMicrobatchesThroughEachChunk) {
  EXPECT_EQ(training::one_forward_one_backward(0, 2, 2, 2), (Passes{{true, 0, 0},
                                                                    {true, 1, 0},
                                                                    {true, 0, 1},
                                                                    {true, 1, 1},
                                                                    {false, 0, 1},
                                                                    {false, 1, 1},
                                                                    {false, 0, 0},
                                                                    {false, 1, 0}}));
  const Passes last = training::one_forward_one_backward(1, 2, 2, 2);
  EXPECT_EQ((Passes(last.begin() + 2, last.begin() + 4)), (Passes{{true, 0, 1}, {false, 0, 1}}));
}

// Every chunk of every microbatch goes forward once and then backward once.
TEST(Interleaved, TakesEachChunkOnceInEachDirection) {
  for (const std::uint32_t chunks : {2U, 3U}) {
    for (std::uint32_t stage = 0; stage < 4; ++stage) {
      std::vector<int> seen(std::size_t{8} * chunks, 0);
      for (const training::Pass& pass : training::one_forward_one_backward(stage, 4, 8, chunks)) {
        EXPECT_EQ(seen[pass.chunk * 8 + pass.microbatch]++, pass.forward ? 0 : 1);
      }
      EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 2; }));
    }
  }
}

}  // namespace
}  // namespace septet::test
