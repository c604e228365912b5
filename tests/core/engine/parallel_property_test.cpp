// Whatever the model: the same events, digest and rows for every number of threads and partitions.
#include <string>

#include <gtest/gtest.h>

#include "tests/core/engine/random_model.hpp"

namespace septet::testing_support {
namespace {

struct Shape {
  unsigned threads;
  unsigned partitions;
};
constexpr Shape kShapes[] = {{1, 2}, {1, 64}, {2, 0},  {2, 3},  {2, 64}, {3, 0},  {3, 5},
                             {4, 0}, {4, 2},  {8, 16}, {8, 64}, {16, 0}, {16, 64}};

// The thread sanitizer makes a run with many threads some hundred times as slow.
#if defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kPart = 10;
#else
constexpr std::uint64_t kPart = 1;
#endif

std::string text(const RandomModelOptions& options, Shape shape) {
  return "seed " + std::to_string(options.seed) + ", " + std::to_string(shape.threads) +
         " threads, " + std::to_string(shape.partitions) + " partitions";
}

void expect_same(const Outcome& wanted, const RandomModelOptions& options, Shape shape) {
  SCOPED_TRACE(text(options, shape));
  const Outcome got = run_random_model(options, shape.threads, shape.partitions);
  EXPECT_EQ(got.error, wanted.error);
  EXPECT_EQ(got.result.events, wanted.result.events);
  EXPECT_EQ(got.result.digest, wanted.result.digest);
  EXPECT_EQ(got.result.last, wanted.result.last);
  EXPECT_TRUE(got.rows == wanted.rows);  // not EXPECT_EQ, which would print thousands of rows
}

TEST(ParallelRun, GivesTheResultOfASequentialOneForRandomModels) {
  std::uint64_t events = 0;
  for (std::uint64_t seed = 1; seed <= 150 / kPart && !testing::Test::HasFailure(); ++seed) {
    const RandomModelOptions options{.seed = seed};
    const Outcome wanted = run_random_model(options, 1, 0);
    events += wanted.result.events;
    for (const Shape shape : kShapes) expect_same(wanted, options, shape);
  }
  EXPECT_GT(events, 50'000U / kPart);  // the models do something
}

TEST(ParallelRun, GivesTheResultOfASequentialOneWhenThreadsStall) {
  for (std::uint64_t seed = 1001; seed <= 1012 && !testing::Test::HasFailure(); ++seed) {
    const RandomModelOptions options{.seed = seed, .dawdles = true};
    const Outcome wanted = run_random_model({.seed = seed}, 1, 0);
    for (const Shape shape : {Shape{2, 0}, Shape{4, 64}}) expect_same(wanted, options, shape);
  }
}

TEST(ParallelRun, ThrowsTheExceptionOfASequentialOne) {
  int failures = 0;
  for (std::uint64_t seed = 2001; seed <= 2000 + 100 / kPart && !testing::Test::HasFailure();
       ++seed) {
    const RandomModelOptions options{.seed = seed, .throws = true};
    const Outcome wanted = run_random_model(options, 1, 0);
    failures += wanted.error.empty() ? 0 : 1;
    for (const Shape shape : kShapes) expect_same(wanted, options, shape);
  }
  EXPECT_GT(3 * failures, 100 / static_cast<int>(kPart));  // a third of them at least
}

TEST(RandomModels, DifferByTheirSeed) {
  EXPECT_NE(run_random_model({.seed = 1}, 1, 0).result.digest,
            run_random_model({.seed = 2}, 1, 0).result.digest);
}

}  // namespace
}  // namespace septet::testing_support
