// Rows reach the sink in the order in which a run with one queue handles the events.
#include <gtest/gtest.h>

#include "tests/core/engine/recording_sink.hpp"
#include "tests/core/engine/scripted_lp.hpp"

namespace septet::engine {
namespace {

using testing_support::emit_numbers;
using testing_support::RecordingSink;
using testing_support::scripted;

TEST(Rows, ComeByTimeThenOrderThenEmission) {
  for (const unsigned partitions : {1U, 3U}) {
    Simulation simulation;
    RecordingSink sink;
    for (GroupId group = 0; group < 3; ++group) {
      simulation.add(scripted(
                         [](Context& context) {
                           context.schedule(2_ps, {.a = 2});
                           context.schedule(1_ps, {.a = 1});
                         },
                         [](const Event& event, Context& context) {
                           const auto id = static_cast<std::int64_t>(context.self());
                           emit_numbers(context, 4, {static_cast<std::int64_t>(event.a), id});
                           emit_numbers(context, 5, {context.now().count()});
                         }),
                     group);
    }
    simulation.run({.partitions = partitions, .rows = &sink});
    EXPECT_EQ(sink.rows, (std::vector<RecordingSink::Row>{{4, 1, 0},
                                                          {5, 1},
                                                          {4, 1, 1},
                                                          {5, 1},
                                                          {4, 1, 2},
                                                          {5, 1},
                                                          {4, 2, 0},
                                                          {5, 2},
                                                          {4, 2, 1},
                                                          {5, 2},
                                                          {4, 2, 2},
                                                          {5, 2}}));
  }
}

TEST(Rows, OfStartsComeFirst) {
  for (const unsigned partitions : {1U, 2U}) {
    Simulation simulation;
    RecordingSink sink;
    for (GroupId group = 0; group < 2; ++group) {
      simulation.add(
          scripted(
              [](Context& context) {
                context.schedule(0_ps, {.phase = Phase::kCompletion});
                emit_numbers(context, 0, {context.self()});
              },
              [](const Event&, Context& context) { emit_numbers(context, 1, {context.self()}); }),
          group);
    }
    simulation.run({.partitions = partitions, .rows = &sink});
    EXPECT_EQ(sink.rows, (std::vector<RecordingSink::Row>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  }
}

TEST(Rows, StayInOrderWhenTheyAreHandedOutInPieces) {
  // 30,000 rows an LP, several times what a pause or a window of a run holds; at each instant
  // there are 10 events of each LP with 10 rows each.
  const auto run = [](unsigned partitions) {
    Simulation simulation;
    RecordingSink sink;
    for (GroupId group = 0; group < 3; ++group) {
      simulation.add(scripted(
                         [](Context& context) {
                           for (int n = 0; n < 10; ++n) context.schedule(1_ps, {.b = 300});
                         },
                         [](const Event& event, Context& context) {
                           for (int n = 0; n < 10; ++n) {
                             emit_numbers(context, 0, {context.now().count(), context.self(), n});
                           }
                           if (event.b > 1) context.schedule(1_ps, {.b = event.b - 1});
                         }),
                     group);
    }
    simulation.run({.partitions = partitions, .rows = &sink});
    return std::move(sink.rows);
  };
  const auto rows = run(1);
  ASSERT_EQ(rows.size(), 90'000U);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto instant = static_cast<std::int64_t>(1 + row / 300);
    const auto lp = static_cast<std::int64_t>(row / 100 % 3);
    ASSERT_EQ(rows[row], (RecordingSink::Row{0, instant, lp, static_cast<std::int64_t>(row % 10)}));
  }
  EXPECT_TRUE(run(3) == rows);
}

TEST(Rows, AreDroppedWithoutASink) {
  Simulation simulation;
  simulation.add(scripted([](Context& context) { emit_numbers(context, 0, {1}); }), 0);
  EXPECT_EQ(simulation.run().events, 0U);
}

}  // namespace
}  // namespace septet::engine
