// Which exception of several ends a run.
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/core/engine/scripted_lp.hpp"

namespace septet::engine {
namespace {

using testing_support::scripted;

constexpr std::uint16_t kFail = 1;

std::string error_of(Simulation& simulation, unsigned threads) {
  try {
    simulation.run({.threads = threads, .partitions = threads == 1 ? 1U : 2U});
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

// An LP that fails, as `name`, at an event of kind kFail.
std::unique_ptr<LogicalProcess> failing(std::string name, Duration when, Phase phase) {
  return scripted(
      [=](Context& context) { context.schedule(when, {.kind = kFail, .phase = phase}); },
      [=](const Event&, Context&) { throw std::runtime_error(name); });
}

TEST(Failure, TheEarliestEventEndsTheRun) {
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    simulation.add(failing("at 8", 8_ps, Phase::kDefault), 0);
    simulation.add(failing("at 7", 7_ps, Phase::kDefault), 1);
    simulation.add(failing("at 9", 9_ps, Phase::kDefault), 2);
    EXPECT_EQ(error_of(simulation, threads), "at 7");
  }
}

TEST(Failure, OfOneInstantTheFirstInTheOrderEndsTheRun) {
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    simulation.add(failing("late", 8_ps, Phase::kLate), 0);
    simulation.add(failing("completion", 8_ps, Phase::kCompletion), 1);
    EXPECT_EQ(error_of(simulation, threads), "completion");
  }
}

TEST(Failure, AnEventScheduledByALaterOneOfTheSameInstantComesLater) {
  // LP 0 schedules an event of an early phase from a late one. One queue hands out the event
  // of LP 1 in between: the key alone does not tell which comes first.
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    simulation.add(
        scripted([](Context& context) { context.schedule(8_ps, {.phase = Phase::kLate}); },
                 [](const Event& event, Context& context) {
                   if (event.kind == kFail) throw std::runtime_error("scheduled at 8");
                   context.schedule(0_ps, {.kind = kFail, .phase = Phase::kCompletion});
                 }),
        0);
    simulation.add(failing("known before", 8_ps, Phase::kDefault), 1);
    EXPECT_EQ(error_of(simulation, threads), "known before");
  }
}

TEST(Failure, OfStartsTheFirstLpEndsTheRun) {
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    for (GroupId group = 0; group < 3; ++group) {
      simulation.add(scripted([=](Context&) {
                       if (group > 0) throw std::runtime_error("start " + std::to_string(group));
                     }),
                     group);
    }
    EXPECT_EQ(error_of(simulation, threads), "start 1");
  }
}

}  // namespace
}  // namespace septet::engine
