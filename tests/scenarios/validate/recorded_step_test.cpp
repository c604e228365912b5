#include "scenarios/validate/recorded_step.hpp"

#include <gtest/gtest.h>

#include "tests/models/workload/recorded/import/import_fixture.hpp"
#include "tests/support/timed_run.hpp"

namespace septet::test {
namespace {

// Three steps of two kernels and a synchronisation, 100 us apart; the first kernel of each takes
// as long as `first` says.
recorded::Import steps(const std::vector<double>& first) {
  RecordingMaker maker;
  std::uint64_t correlation = 1;
  for (std::size_t s = 0; s < first.size(); ++s) {
    const double begin = 100.0 * static_cast<double>(s);
    maker.annotation("ProfilerStep#" + std::to_string(s), begin, begin + 99);
    const double end = begin + 7 + first[s];
    launch(maker, correlation, begin, begin + 7, end, 7);
    launch(maker, correlation + 1, begin + 5, end + 1, end + 4, 7);
    maker.call("cudaDeviceSynchronize", begin + 10, end + 9, correlation + 2);
    correlation += 3;
  }
  return import_made(maker);
}

TEST(RecordedStep, HasTheMedianDurationOfEachNode) {
  const validation::RecordedStep step =
      validation::recorded_step(steps({20, 30, 22}), round_system(), 3);
  ASSERT_EQ(step.graphs.size(), 1U);
  ASSERT_EQ(step.graphs[0].nodes.size(), 2U);
  EXPECT_EQ(*recorded_in(step.graphs[0].nodes[0]), 22_us);
  EXPECT_EQ(*recorded_in(step.graphs[0].nodes[1]), 3_us);
  EXPECT_EQ(step.stream, (std::vector<std::uint32_t>{0}));
}

TEST(RecordedStep, TakesTheMeanTimeOfTheEagerSteps) {
  // The last step, from 200, returns at 200 + 7 + 22 + 9 = 238.
  EXPECT_EQ(validation::recorded_step(steps({20, 30, 22}), round_system(), 3).eager,
            Duration(238'000'000 / 3));
}

TEST(RecordedStep, NeedsTheSameGraphsInEveryStep) {
  const recorded::Import recording = steps({20, 30, 22});
  EXPECT_EQ(error_of<ModelError>([&] { validation::recorded_step(recording, round_system(), 2); }),
            "the recorded steps do not split into the same graphs");
  EXPECT_EQ(error_of<ModelError>([&] { validation::recorded_step(recording, round_system(), 0); }),
            "the recorded steps do not split into the same graphs");
}

}  // namespace
}  // namespace septet::test
