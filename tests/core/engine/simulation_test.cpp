// The contract of Simulation and Context.
#include "core/engine/simulation.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/engine/scripted_lp.hpp"

namespace septet::engine {
namespace {

using testing_support::scripted;

// Adds an LP that notes `tag` of each event that it handles.
LpId add_listener(Simulation& simulation, std::vector<int>& heard, GroupId group = 0) {
  return simulation.add(
      scripted({}, [&heard](const Event& event, Context&) { heard.push_back(event.tag); }), group);
}

std::string error_of(Simulation& simulation, const RunOptions& options = {}) {
  try {
    simulation.run(options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Simulation, CountsIdsFromZero) {
  Simulation simulation;
  EXPECT_EQ(simulation.add(scripted({}), 5), 0U);
  EXPECT_EQ(simulation.add(scripted({}), 2), 1U);
}

TEST(Simulation, EndsAtOnceWithoutEvents) {
  Simulation simulation;
  simulation.add(scripted({}), 0);
  const RunResult result = simulation.run();
  EXPECT_EQ(result.events, 0U);
  EXPECT_EQ(result.windows, 1U);
  EXPECT_EQ(result.last, Instant{});
}

TEST(Simulation, RunsWithoutLps) {
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    EXPECT_EQ(simulation.run({.threads = threads}).events, 0U);
  }
}

TEST(Simulation, HandlesEventsOfOneInstantByPhaseThenSourceThenSequence) {
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    std::vector<int> heard;
    const LpId listener = add_listener(simulation, heard);
    for (LpId sender = 1; sender <= 2; ++sender) {
      const auto say = [=](Context& context) {
        const auto tag = [&](int n) { return static_cast<std::uint16_t>(100 * sender + n); };
        context.send(listener, 10_ps, {.tag = tag(1), .phase = Phase::kLate});
        context.send(listener, 10_ps, {.tag = tag(2), .phase = Phase::kArrival});
        context.send(listener, 10_ps, {.tag = tag(3), .phase = Phase::kArrival});
        context.send(listener, 10_ps, {.tag = tag(4), .phase = Phase::kCompletion});
      };
      simulation.add(scripted(say), sender);
      simulation.connect(sender, listener, 10_ps);
    }
    simulation.run({.threads = threads});
    EXPECT_EQ(heard, (std::vector<int>{104, 204, 102, 103, 202, 203, 101, 201}));
  }
}

TEST(Simulation, HandlesEarlierEventsFirst) {
  Simulation simulation;
  std::vector<int> heard;
  simulation.add(scripted(
                     [](Context& context) {
                       context.schedule(3_ps, {.tag = 3});
                       context.schedule(1_ps, {.tag = 1});
                       context.schedule(2_ps, {.tag = 2});
                     },
                     [&](const Event& event, Context& context) {
                       EXPECT_EQ(context.now(), event.at);
                       EXPECT_EQ(context.self(), event.target);
                       heard.push_back(event.tag);
                     }),
                 0);
  EXPECT_EQ(simulation.run().last, Instant(3));
  EXPECT_EQ(heard, (std::vector<int>{1, 2, 3}));
}

TEST(Simulation, CarriesAMessageUnchanged) {
  Simulation simulation;
  Event got;
  const LpId sender = simulation.add(
      scripted([](Context& context) {
        context.send(1, 4_ps, {.kind = 7, .tag = 8, .a = ~0ULL, .b = 9, .phase = Phase::kLate});
      }),
      0);
  simulation.add(scripted({}, [&](const Event& event, Context&) { got = event; }), 0);
  simulation.connect(sender, 1, 4_ps);
  simulation.run();
  EXPECT_EQ(got.at, Instant(4));
  EXPECT_EQ(got.order, pack_order(Phase::kLate, sender, 0));
  EXPECT_EQ(got.target, 1U);
  EXPECT_EQ(got.kind, 7);
  EXPECT_EQ(got.tag, 8);
  EXPECT_EQ(got.a, ~0ULL);
  EXPECT_EQ(got.b, 9U);
}

TEST(Simulation, HandlesNoEventAtOrAfterTheEnd) {
  Simulation simulation;
  std::vector<int> heard;
  simulation.add(scripted(
                     [](Context& context) {
                       context.schedule(9_ps, {.tag = 9});
                       context.schedule(10_ps, {.tag = 10});
                     },
                     [&](const Event& event, Context&) { heard.push_back(event.tag); }),
                 0);
  EXPECT_EQ(simulation.run({.end = Instant(10)}).events, 1U);
  EXPECT_EQ(heard, (std::vector<int>{9}));
}

TEST(Simulation, AcceptsADelayOfExactlyTheLookahead) {
  Simulation simulation;
  std::vector<int> heard;
  simulation.add(scripted([](Context& context) { context.send(1, 5_ps, {.tag = 1}); }), 0);
  add_listener(simulation, heard, 1);
  simulation.connect(0, 1, 5_ps);
  simulation.run();
  EXPECT_EQ(heard.size(), 1U);
}

TEST(Simulation, NamesBothLpsAndTimesWhereADelayIsBelowTheLookahead) {
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    std::vector<int> heard;
    simulation.add(scripted([](Context& context) { context.schedule(100_ps, {}); },
                            [](const Event&, Context& context) { context.send(1, 4_ps, {}); }),
                   0, "node0.nic");
    simulation.add(scripted({}), 1, "node1.nic");
    simulation.connect(0, 1, 5_ps);
    EXPECT_EQ(error_of(simulation, {.threads = threads}),
              "LP 0 ('node0.nic') sends to LP 1 ('node1.nic') at 100 ps an event for "
              "104 ps: 4 ps later, but the lookahead of their channel is 5 ps");
  }
}

TEST(Simulation, RefusesToSendWithoutAChannel) {
  Simulation simulation;
  simulation.add(scripted([](Context& context) { context.send(1, 4_ps, {}); }), 0);
  simulation.add(scripted({}), 0, "b");
  simulation.connect(1, 0, 1_ps);
  EXPECT_EQ(error_of(simulation),
            "LP 0 sends to LP 1 ('b') at 0 ps, but no channel connects the two");
}

TEST(Simulation, ConnectsAllWithOneLookahead) {
  Simulation simulation;
  std::vector<int> heard;
  for (GroupId group = 0; group < 3; ++group) {
    simulation.add(scripted([=](Context& context) {
                     context.send(3, 6_ps, {.tag = static_cast<std::uint16_t>(group)});
                   }),
                   group);
  }
  add_listener(simulation, heard, 3);
  simulation.connect_all(6_ps);
  simulation.run({.threads = 2});
  EXPECT_EQ(heard, (std::vector<int>{0, 1, 2}));
}

TEST(Simulation, DemandsAPositiveLookaheadBetweenGroupsOnly) {
  Simulation simulation;
  simulation.add(scripted({}), 0);
  simulation.add(scripted({}), 0);
  simulation.add(scripted({}), 1, "far");
  EXPECT_NO_THROW(simulation.connect(0, 1, 0_ps));
  EXPECT_THROW(simulation.connect(0, 2, 0_ps), ModelError);
  EXPECT_THROW(simulation.connect(0, 1, Duration(-1)), ModelError);
  simulation.connect_all(0_ps);
  EXPECT_EQ(error_of(simulation),
            "the channel from LP 0 to LP 2 ('far') has a lookahead of 0 ps, wanted a "
            "positive one, as their groups differ");
}

TEST(Simulation, GivesEachLpItsOwnRandomStreams) {
  Simulation simulation;
  std::vector<std::uint64_t> draws;
  for (int n = 0; n < 2; ++n) {
    simulation.add(scripted([&](Context& context) {
                     draws.push_back(context.random(3).next());
                     draws.push_back(context.random(4).next());
                   }),
                   0);
  }
  simulation.run({.seed = 42});
  EXPECT_EQ(draws[0], RandomStream({42, 0, 3}).next());
  EXPECT_EQ(draws[1], RandomStream({42, 0, 4}).next());
  EXPECT_EQ(draws[2], RandomStream({42, 1, 3}).next());
}

TEST(Simulation, RunsIndependentGroupsInOneWindow) {
  Simulation simulation;
  for (GroupId group = 0; group < 4; ++group) {
    simulation.add(scripted([](Context& context) { context.schedule(1_ps, {}); },
                            [](const Event& event, Context& context) {
                              if (event.at < Instant(500)) context.schedule(7_ps, {});
                            }),
                   group);
  }
  EXPECT_EQ(simulation.run({.threads = 2}).windows, 1U);
}

TEST(Simulation, MakesWindowsAsLongAsTheLookahead) {
  // Two LPs tick every 10 ps from 0 to 1000; either may send to the other 100 ps ahead. A
  // window starts with the tick at t and ends before t + 100, so it holds 10 ticks of each: 101
  // ticks make 11 windows.
  Simulation simulation;
  for (GroupId group = 0; group < 2; ++group) {
    simulation.add(scripted([](Context& context) { context.schedule(0_ps, {}); },
                            [](const Event&, Context& context) { context.schedule(10_ps, {}); }),
                   group);
  }
  simulation.connect_all(100_ps);
  const RunResult result = simulation.run({.threads = 2, .end = Instant(1001)});
  EXPECT_EQ(result.events, 202U);
  EXPECT_EQ(result.windows, 11U);
}

TEST(Simulation, LetsAnLpBeReadAfterTheRun) {
  Simulation simulation;
  auto lp = scripted({});
  const LogicalProcess* const address = lp.get();
  simulation.add(std::move(lp), 0);
  simulation.run();
  EXPECT_EQ(&simulation.lp(0), address);
}

using SimulationDeathTest = testing::Test;

TEST(SimulationDeathTest, StopsWhereAnEventIsScheduledInThePast) {
  Simulation simulation;
  simulation.add(scripted([](Context& context) { context.schedule(Duration(-1), {}); }), 0);
  EXPECT_DEATH(simulation.run(), "delay >=");
}

TEST(Simulation, RefusesEventsBeyondTheLastInstant) {
  Simulation simulation;
  simulation.add(
      scripted([](Context& context) { context.schedule(1_ps, {}); },
               [](const Event&, Context& context) { context.schedule(Duration::max(), {}); }),
      0);
  EXPECT_THROW(simulation.run(), RangeError);
}

TEST(SimulationDeathTest, StopsWhereTheReceiverDoesNotExist) {
  Simulation simulation;
  simulation.add(scripted([](Context& context) { context.send(1, 1_ps, {}); }), 0);
  EXPECT_DEATH(simulation.run(), "lps");
  EXPECT_DEATH(simulation.connect(0, 1, 1_ps), "lps");
}

TEST(SimulationDeathTest, RunsOnlyOnce) {
  Simulation simulation;
  simulation.run();
  EXPECT_DEATH(simulation.run(), "ran");
}

}  // namespace
}  // namespace septet::engine
