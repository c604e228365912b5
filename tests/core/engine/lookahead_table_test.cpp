// The earliest output times that LPs state lengthen windows, change no result, end with an event
// from outside, and must be kept.
#include <memory>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/engine/scripted_lp.hpp"

namespace septet::engine {
namespace {

using testing_support::scripted;
using testing_support::ScriptedLp;

constexpr std::uint16_t kTick = 0;
constexpr std::uint16_t kWake = 1;
constexpr std::uint16_t kReply = 2;

// Ticks every 10 ps until 1000 and sends nothing before `until`, as it states.
std::unique_ptr<LogicalProcess> ticking(Duration until) {
  return scripted([](Context& context) { context.schedule(0_ps, {.kind = kTick}); },
                  [](const Event&, Context& context) {
                    if (context.now() < Instant(1000)) context.schedule(10_ps, {.kind = kTick});
                  },
                  [=] { return Instant{} + until; });
}

// Has an event every 10 ps until 1000, and states that it sends nothing before `until`.
std::unique_ptr<LogicalProcess> busy(Instant until, ScriptedLp::Handle handle) {
  return scripted(
      [](Context& context) {
        for (int n = 0; n <= 100; ++n) context.schedule(Duration(10 * n), {.kind = kTick});
      },
      std::move(handle), [=] { return until; });
}

RunResult run_two_ticking(Duration first, Duration second) {
  Simulation simulation;
  simulation.add(ticking(first), 0);
  simulation.add(ticking(second), 1);
  simulation.connect_all(100_ps);
  return simulation.run({.threads = 2});
}

TEST(LookaheadTable, GivesTheSmallestOutputTime) {
  // 101 ticks each. Without dynamic lookahead: 11 windows of 10 ticks. Where neither sends before
  // 550, the first window goes to 650 and the rest of 650 ... 1000 takes 4. One of them alone helps
  // nobody.
  EXPECT_EQ(run_two_ticking(0_ps, 0_ps).windows, 11U);
  EXPECT_EQ(run_two_ticking(550_ps, 550_ps).windows, 5U);
  EXPECT_EQ(run_two_ticking(550_ps, 800_ps).windows, 5U);
  EXPECT_EQ(run_two_ticking(550_ps, 0_ps).windows, 11U);
}

TEST(LookaheadTable, ChangesNoResult) {
  EXPECT_EQ(run_two_ticking(0_ps, 0_ps).digest, run_two_ticking(550_ps, 800_ps).digest);
}

TEST(LookaheadTable, AsksAgainAfterEachWindow) {
  // To 300 at first (200 + 100); by then both know of 900: to 1000, then the last tick.
  const auto learning = [](Instant at) {
    auto until = std::make_shared<Instant>(200);
    return scripted([](Context& context) { context.schedule(0_ps, {.kind = kTick}); },
                    [=](const Event&, Context& context) {
                      if (context.now() < Instant(1000)) context.schedule(10_ps, {.kind = kTick});
                      if (context.now() >= at) *until = Instant(900);
                    },
                    [=] { return *until; });
  };
  Simulation simulation;
  simulation.add(learning(Instant(150)), 0);
  simulation.add(learning(Instant(250)), 1);
  simulation.connect_all(100_ps);
  EXPECT_EQ(simulation.run({.threads = 2}).windows, 3U);
}

TEST(LookaheadTable, KeepsABoundThroughEventsOfTheGroupItself) {
  // Only LP 0 can send out of the group; what LP 1 does inside does not end its bound.
  Simulation simulation;
  simulation.add(scripted({}, {}, [] { return Instant(900); }), 0);
  simulation.add(scripted([](Context& context) { context.schedule(10_ps, {}); },
                          [](const Event&, Context& context) {
                            if (context.now() < Instant(900)) context.schedule(10_ps, {});
                            context.send(0, 0_ps, {});
                          }),
                 0);
  simulation.add(ticking(900_ps), 1);
  simulation.connect(1, 0, 0_ps);
  simulation.connect(0, 2, 100_ps);
  simulation.connect(2, 0, 100_ps);
  // To 1000 in the first window, the tick at 1000 in the second.
  EXPECT_EQ(simulation.run({.threads = 2}).windows, 2U);
}

// LP 0 states that it sends nothing before 800 but replies at once to whoever wakes it.
void add_sleeper(Simulation& simulation) {
  auto until = std::make_shared<Instant>(800);
  simulation.add(scripted(
                     {},
                     [=](const Event& event, Context& context) {
                       *until = context.now();
                       if (event.kind == kWake) {
                         context.send(static_cast<LpId>(event.a), 100_ps, {.kind = kReply});
                       }
                     },
                     [=] { return *until; }),
                 0);
}

TEST(LookaheadTable, EndsABoundWithAnOutsideEventThatWasSentAfterIt) {
  // LP 1 wakes the sleeper at 300 (sent at 200) and hears from it at 400, between its own
  // ticks; were the bound believed, the window would reach beyond that.
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    Instant heard;
    add_sleeper(simulation);
    simulation.add(busy(Instant(0),
                        [&](const Event& event, Context& context) {
                          if (event.kind == kReply) heard = context.now();
                          if (context.now() != Instant(200)) return;
                          context.send(0, 100_ps, {.kind = kWake, .a = context.self()});
                        }),
                   1);
    simulation.connect_all(100_ps);
    simulation.run({.threads = threads});
    EXPECT_EQ(heard, Instant(400));
  }
}

TEST(LookaheadTable, EndsABoundWithAnOutsideEventThatWasOnItsWayBefore) {
  for (const unsigned partitions : {1U, 2U, 3U}) {
    Simulation simulation;
    Instant heard;
    add_sleeper(simulation);
    // Sent at the start, for 300.
    simulation.add(
        scripted([](Context& context) { context.send(0, 300_ps, {.kind = kWake, .a = 2}); }), 1);
    simulation.add(busy(Instant(1000),
                        [&](const Event& event, Context& context) {
                          if (event.kind == kReply) heard = context.now();
                        }),
                   2);
    simulation.connect_all(100_ps);
    simulation.run({.partitions = partitions});
    EXPECT_EQ(heard, Instant(400));
  }
}

TEST(LookaheadTable, EndsABoundWithAnEventFromAnotherGroupOfItsPartition) {
  // Groups 0 and 1 share a partition; 1 cannot reach group 2, but wakes 0 at 50, which can.
  Simulation simulation;
  Instant heard;
  add_sleeper(simulation);
  simulation.add(scripted([](Context& context) { context.schedule(40_ps, {}); },
                          [](const Event&, Context& context) {
                            context.send(0, 10_ps, {.kind = kWake, .a = 2});
                          }),
                 1);
  for (GroupId group = 2; group < 4; ++group) {
    simulation.add(busy(Instant(1000),
                        [&](const Event& event, Context& context) {
                          if (event.kind == kReply) heard = context.now();
                        }),
                   group);
  }
  simulation.connect(1, 0, 10_ps);
  simulation.connect(0, 2, 100_ps);
  simulation.run({.partitions = 2});
  EXPECT_EQ(heard, Instant(150));
}

std::string error_of_talker(Instant until) {
  Simulation simulation;
  simulation.add(scripted([](Context& context) { context.schedule(50_ps, {}); },
                          [](const Event&, Context& context) { context.send(1, 100_ps, {}); },
                          [=] { return until; }),
                 0, "talker");
  simulation.add(scripted({}), 1);
  simulation.connect_all(100_ps);
  try {
    simulation.run({.threads = 2});
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LookaheadTable, RefusesOutputBeforeABound) {
  EXPECT_EQ(error_of_talker(Instant(51)),
            "LP 0 ('talker') sends to LP 1 at 50 ps, before its earliest output time");
  EXPECT_EQ(error_of_talker(Instant(50)), "no error");
}

}  // namespace
}  // namespace septet::engine
