// Promises widen windows, change no result, end with an event from outside, and must be kept.
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/core/engine/scripted_process.hpp"

namespace septet {
namespace {

using testing_support::scripted;

constexpr std::uint16_t kTick = 0;
constexpr std::uint16_t kWake = 1;
constexpr std::uint16_t kReply = 2;

// Ticks every 10 ps until 1000; promises at the start to be silent until `until`.
std::unique_ptr<LogicalProcess> ticking(Duration until) {
  return scripted(
      [=](Context& context) {
        context.schedule(0_ps, {.kind = kTick});
        context.promise(Instant{} + until);
      },
      [](const Event&, Context& context) {
        if (context.now() < Instant(1000)) context.schedule(10_ps, {.kind = kTick});
      });
}

RunResult run_two_ticking(Duration first, Duration second) {
  Simulation simulation;
  simulation.add(ticking(first), 0);
  simulation.add(ticking(second), 1);
  simulation.connect_all(100_ps);
  return simulation.run({.threads = 2});
}

TEST(Promise, ReachesAsFarAsTheSmallestOne) {
  // 101 ticks each. Without promises: 11 windows of 10 ticks. Where both are silent until 550, the
  // first window goes to 650 and the rest of 650 ... 1000 takes 4. One promise alone helps nobody.
  EXPECT_EQ(run_two_ticking(0_ps, 0_ps).windows, 11U);
  EXPECT_EQ(run_two_ticking(550_ps, 550_ps).windows, 5U);
  EXPECT_EQ(run_two_ticking(550_ps, 800_ps).windows, 5U);
  EXPECT_EQ(run_two_ticking(550_ps, 0_ps).windows, 11U);
}

TEST(Promise, ChangesNoResult) {
  EXPECT_EQ(run_two_ticking(0_ps, 0_ps).digest, run_two_ticking(550_ps, 800_ps).digest);
}

TEST(Promise, MayBePassedOverBySeveralEventsOfTheGroupItself) {
  // Only process 0 can send out of the group; what process 1 does inside does not end its promise.
  Simulation simulation;
  simulation.add(scripted([](Context& context) { context.promise(Instant(900)); }), 0);
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

// Process 0 promises silence until 800 and replies at once to whoever wakes it.
void add_sleeper(Simulation& simulation) {
  simulation.add(scripted([](Context& context) { context.promise(Instant(800)); },
                          [](const Event& event, Context& context) {
                            if (event.kind == kWake) {
                              context.send(static_cast<ProcessId>(event.a), 100_ps,
                                           {.kind = kReply});
                            }
                          }),
                 0);
}

TEST(Promise, EndsWithAnEventFromOutsideThatWasSentAfterIt) {
  // Process 1 wakes the sleeper at 300 (sent at 200) and hears from it at 400, between its own
  // ticks; were the promise believed, the window would reach beyond that.
  for (const unsigned threads : {1U, 2U}) {
    Simulation simulation;
    Instant heard;
    add_sleeper(simulation);
    simulation.add(scripted(
                       [](Context& context) {
                         for (int n = 0; n <= 100; ++n) {
                           context.schedule(Duration(10 * n), {.kind = kTick});
                         }
                       },
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

TEST(Promise, EndsWithAnEventFromOutsideThatWasOnItsWayBefore) {
  for (const unsigned partitions : {1U, 2U, 3U}) {
    Simulation simulation;
    Instant heard;
    // Sent at the start, for 300; the sleeper of group 0 starts, and promises, afterwards.
    simulation.add(
        scripted([](Context& context) { context.send(1, 300_ps, {.kind = kWake, .a = 2}); }), 1);
    simulation.add(scripted([](Context& context) { context.schedule(10_ps, {.kind = kTick}); },
                            [](const Event& event, Context& context) {
                              if (event.kind == kTick) context.promise(Instant(800));
                              if (event.kind == kWake) context.send(2, 100_ps, {.kind = kReply});
                            }),
                   0);
    simulation.add(scripted(
                       [](Context& context) {
                         for (int n = 0; n <= 100; ++n) context.schedule(Duration(10 * n), {});
                         context.promise(Instant(1000));
                       },
                       [&](const Event& event, Context& context) {
                         if (event.kind == kReply) heard = context.now();
                       }),
                   2);
    simulation.connect_all(100_ps);
    simulation.run({.partitions = partitions});
    EXPECT_EQ(heard, Instant(400));
  }
}

TEST(Promise, EndsWithAnEventFromAnotherGroupOfItsPartition) {
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
    simulation.add(scripted(
                       [](Context& context) {
                         for (int n = 0; n <= 100; ++n) context.schedule(Duration(10 * n), {});
                       },
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

std::string error_of_talker(Instant until, unsigned threads) {
  Simulation simulation;
  simulation.add(scripted(
                     [=](Context& context) {
                       context.schedule(50_ps, {});
                       context.promise(until);
                     },
                     [](const Event&, Context& context) { context.send(1, 100_ps, {}); }),
                 0, "talker");
  simulation.add(scripted({}), 1);
  simulation.connect_all(100_ps);
  try {
    simulation.run({.threads = threads});
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

// Ticks every 10 ps until 1000 and foresees that it is silent until `until`; or `at` a time, where
// it knows more.
class Foreseeing : public LogicalProcess {
 public:
  Foreseeing(Instant until, Instant at, Instant later) : until_(until), at_(at), later_(later) {}

  void start(Context& context) override { context.schedule(0_ps, {.kind = kTick}); }
  void handle(const Event& event, Context& context) override {
    if (event.kind == kWake) until_ = later_ = context.now();
    if (context.now() < Instant(1000)) context.schedule(10_ps, {.kind = kTick});
    if (context.now() >= at_) until_ = later_;
  }
  bool foresees() const override { return true; }
  Instant silent_until(Instant) const override { return until_; }

 private:
  Instant until_, at_, later_;
};

std::unique_ptr<LogicalProcess> foreseeing(Instant until, Instant at = Instant(0),
                                           Instant later = Instant(0)) {
  return std::make_unique<Foreseeing>(until, at, std::max(until, later));
}

std::uint64_t windows_of(std::unique_ptr<LogicalProcess> first,
                         std::unique_ptr<LogicalProcess> second) {
  Simulation simulation;
  simulation.add(std::move(first), 0);
  simulation.add(std::move(second), 1);
  simulation.connect_all(100_ps);
  const RunResult result = simulation.run({.threads = 2});
  EXPECT_EQ(result.events, 202U);
  return result.windows;
}

TEST(Promise, IsTakenFromProcessesThatForesee) {
  // As in ReachesAsFarAsTheSmallestOne: to 650, then 4 windows of 100.
  EXPECT_EQ(windows_of(foreseeing(Instant(0)), foreseeing(Instant(0))), 11U);
  EXPECT_EQ(windows_of(foreseeing(Instant(550)), foreseeing(Instant(800))), 5U);
  EXPECT_EQ(windows_of(foreseeing(Instant(550)), foreseeing(Instant(0))), 11U);
}

TEST(Promise, IsAskedForAgainAfterEachWindow) {
  // To 300 at first (200 + 100); by then both know of 900: to 1000, then the last tick.
  EXPECT_EQ(windows_of(foreseeing(Instant(200), Instant(150), Instant(900)),
                       foreseeing(Instant(200), Instant(250), Instant(900))),
            3U);
}

TEST(Promise, MustBeKeptByThoseThatForesee) {
  Simulation simulation;
  simulation.add(foreseeing(Instant(800)), 0);
  class Liar : public Foreseeing {
   public:
    Liar() : Foreseeing(Instant(800), Instant(0), Instant(800)) {}
    void handle(const Event& event, Context& context) override {
      if (context.now() == Instant(500)) context.send(0, 100_ps, {});
      Foreseeing::handle(event, context);
    }
  };
  simulation.add(std::make_unique<Liar>(), 1, "liar");
  simulation.connect_all(100_ps);
  try {
    simulation.run({.threads = 2});
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "process 1 ('liar') broke its promise: it sends to process 0 at 500 ps");
  }
}

TEST(Promise, MustBeKeptUntilItsEnd) {
  for (const unsigned threads : {1U, 2U}) {
    EXPECT_EQ(error_of_talker(Instant(51), threads),
              "process 0 ('talker') broke its promise: it sends to process 1 at 50 ps");
    EXPECT_EQ(error_of_talker(Instant(50), threads), "no error");
  }
}

}  // namespace
}  // namespace septet
