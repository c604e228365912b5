// Every queue of the engine against std::priority_queue: the same events in the same order, for
// loads that stress one part or another. A fast queue that loses events looks fine otherwise.
#include "core/engine/calendar_queue.hpp"

#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <string>

#include <gtest/gtest.h>

#include "core/base/random.hpp"
#include "core/engine/heap_queue.hpp"

namespace septet::engine {
namespace {

struct Later {
  bool operator()(const Event& x, const Event& y) const { return y < x; }
};
using Reference = std::priority_queue<Event, std::vector<Event>, Later>;

class CalendarUnderTest {
 public:
  void push(const Event& event) { queue_.push(event); }
  std::optional<Event> pop() {
    Event event;
    if (!queue_.pop_before(Instant::max(), event)) return std::nullopt;
    return event;
  }
  std::size_t size() const { return queue_.size(); }

 private:
  CalendarQueue queue_;
};

class HeapUnderTest {
 public:
  void push(const Event& event) { queue_.push(event); }
  std::optional<Event> pop() {
    if (queue_.empty()) return std::nullopt;
    return queue_.pop();
  }
  std::size_t size() const { return queue_.size(); }

 private:
  HeapQueue queue_;
};

template <class Queue>
class EventQueue : public testing::Test {
 public:
  // Pushes at `time`, which must not be before the last event popped, into both queues.
  void push(std::int64_t time) {
    const Event event{.at = Instant(time),
                      .order = random_.below(8) << kSequenceBits | sequence_++,
                      .a = random_.next()};
    reference_.push(event);
    queue_.push(event);
  }

  // Pops from both; the time of the event, or -1 where the queues are empty.
  std::int64_t pop() {
    const std::optional<Event> got = queue_.pop();
    if (reference_.empty()) {
      EXPECT_FALSE(got.has_value());
      return -1;
    }
    const Event wanted = reference_.top();
    reference_.pop();
    if (!got || got->at != wanted.at || got->order != wanted.order || got->a != wanted.a) {
      ADD_FAILURE() << "wrong event at " << wanted.at.count() << " ps";
      return -1;
    }
    EXPECT_EQ(queue_.size(), reference_.size());
    return wanted.at.count();
  }

  void pop_all() {
    while (!reference_.empty() && !testing::Test::HasFailure()) pop();
    pop();
  }

  // `holds` times pops one and pushes one `increment()` later.
  void hold(int holds, const std::function<std::int64_t()>& increment) {
    for (int n = 0; n < holds && !testing::Test::HasFailure(); ++n) push(pop() + increment());
  }

  std::int64_t draw(double mean) { return static_cast<std::int64_t>(random_.exponential(mean)); }

  RandomStream random_{RandomKey{.seed = 17}};

 private:
  Queue queue_;
  Reference reference_;
  std::uint64_t sequence_ = 0;
};

using Queues = testing::Types<HeapUnderTest, CalendarUnderTest>;
TYPED_TEST_SUITE(EventQueue, Queues);

TYPED_TEST(EventQueue, HandsOutRandomHoldsInOrderAtEverySize) {
  std::int64_t now = 0;
  for (const int size : {1, 2, 50, 95, 96, 97, 384, 385, 3'000, 40'000}) {
    SCOPED_TRACE("size " + std::to_string(size));
    for (int n = 0; n < size; ++n) this->push(now + this->draw(1e6));
    this->hold(2 * size + 500, [this] { return 1'000'000 + this->draw(1e6); });
    for (int n = 0; n < size; ++n) now = this->pop();
  }
}

TYPED_TEST(EventQueue, HandsOutBurstsAtOneInstantInTheirOrder) {
  for (int n = 0; n < 20'000; ++n) this->push(1'000);
  // Half of what is popped comes back at the same instant, and so belongs into the burst.
  for (int n = 0; n < 10'000; ++n) this->push(this->pop());
  this->pop_all();
}

TYPED_TEST(EventQueue, HandsOutZeroDelayCascadesInTheirOrder) {
  for (int n = 0; n < 2'000; ++n) this->push(this->draw(1e5));
  this->hold(40'000, [this] { return this->random_.below(3) > 0 ? 0 : this->draw(1e5); });
  this->pop_all();
}

TYPED_TEST(EventQueue, KeepsFarFutureEventsUntilTheirTurn) {
  for (int n = 0; n < 1'000; ++n) this->push(Instant::max().count() - 1 - n % 7);
  for (int n = 0; n < 3'000; ++n) this->push(this->draw(1e3));
  this->hold(20'000, [this] { return this->draw(1e3); });
  this->pop_all();
}

TYPED_TEST(EventQueue, CrossesHugeGapsBetweenClusters) {
  for (int n = 0; n < 5'000; ++n) this->push(n % 5 * 1'000'000'000'000'000 + this->draw(50));
  this->hold(20'000, [this] { return this->random_.below(4) == 0 ? 1'000'000'000'000 : 7; });
  this->pop_all();
}

TYPED_TEST(EventQueue, FollowsDelaysOverTwelveDecades) {
  const auto any_scale = [this] {
    return static_cast<std::int64_t>(std::pow(10.0, this->random_.uniform() * 12));
  };
  for (int n = 0; n < 4'000; ++n) this->push(any_scale());
  this->hold(60'000, any_scale);
  this->pop_all();
}

TYPED_TEST(EventQueue, FollowsAScaleThatChangesWhileItRuns) {
  for (int n = 0; n < 3'000; ++n) this->push(this->draw(1e3));
  for (const double scale : {1e3, 1e9, 1e1, 1e6, 1e0}) {
    this->hold(20'000, [&] { return this->draw(scale); });
  }
  this->pop_all();
}

TYPED_TEST(EventQueue, EmptiesAndFillsAgain) {
  std::int64_t now = 0;
  for (const int size : {10, 1'000, 5, 20'000, 100, 3'000, 1}) {
    for (int n = 0; n < size; ++n) this->push(now + this->draw(1e6));
    for (int n = 0; n < size; ++n) now = std::max(now, this->pop());
    EXPECT_EQ(this->pop(), -1);
  }
}

TYPED_TEST(EventQueue, GrowsAndShrinksWhileItRuns) {
  for (int n = 0; n < 10; ++n) this->push(n);
  for (int wave = 0; wave < 4; ++wave) {
    for (int n = 0; n < 30'000; ++n) {  // two pushes a pop
      const std::int64_t now = this->pop();
      this->push(now + this->draw(1e5));
      this->push(now + this->draw(1e5));
    }
    for (int n = 0; n < 29'990; ++n) this->pop();
  }
  this->pop_all();
}

TEST(CalendarQueue, AcceptsEventsBeforeTheOneThatItShowedLast) {
  // A partition looks at its next event before events from others arrive.
  CalendarQueue queue;
  for (std::uint64_t n = 0; n < 1'000; ++n) {
    queue.push({.at = Instant(1'000'000'000 + static_cast<std::int64_t>(n)), .order = n});
  }
  EXPECT_EQ(queue.next(), Instant(1'000'000'000));
  for (std::uint64_t n = 0; n < 1'000; ++n) {
    queue.push({.at = Instant(static_cast<std::int64_t>(2'000 - n)), .order = n});
  }
  Instant last{};
  Event event;
  for (int n = 0; n < 2'000; ++n) {
    ASSERT_TRUE(queue.pop_before(Instant::max(), event));
    ASSERT_LT(last, event.at);
    last = event.at;
  }
  EXPECT_TRUE(queue.empty());
}

TEST(CalendarQueue, PopsNothingAtTheBound) {
  CalendarQueue queue;
  Event event;
  queue.push({.at = Instant(10)});
  EXPECT_FALSE(queue.pop_before(Instant(10), event));
  EXPECT_TRUE(queue.pop_before(Instant(11), event));
  EXPECT_EQ(queue.next(), Instant::max());
}

TEST(CalendarQueue, VisitsEveryPendingEventOnce) {
  CalendarQueue queue;
  RandomStream random(RandomKey{.seed = 3});
  Event event;
  for (std::uint64_t n = 0; n < 5'000; ++n) {  // some pops, so that all parts hold events
    queue.push({.at = event.at + from_us(random.exponential(1)), .order = n, .a = 1});
    if (n % 5 == 4) queue.pop_before(Instant::max(), event);
  }
  queue.push({.at = Instant::max(), .order = 5'000, .a = 1});
  std::uint64_t visited = 0;
  queue.for_each([&](const Event& pending) { visited += pending.a; });
  EXPECT_EQ(visited, 4'001U);  // 5001 pushed, 1000 popped
}

}  // namespace
}  // namespace septet::engine
