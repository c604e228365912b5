#include "tools/septet/bench/hold.hpp"

#include <chrono>
#include <functional>
#include <queue>

#include <fmt/format.h>

#include "core/base/random.hpp"
#include "core/engine/calendar_queue.hpp"
#include "core/engine/digest.hpp"
#include "core/engine/heap_queue.hpp"
#include "tools/septet/bench/option_error.hpp"

namespace septet::command {
namespace {

constexpr std::size_t kTableSize = 1U << 16;
constexpr std::uint64_t kWarmUp = 4;  // holds of each pending event before measuring

class Increments {
 public:
  explicit Increments(const HoldOptions& options) {
    RandomStream random(RandomKey{.seed = options.seed});
    const auto mean = static_cast<double>((options.mean - options.lookahead).count());
    for (Duration& increment : table_) {
      const auto drawn = static_cast<std::int64_t>(random.exponential(mean));
      increment = options.lookahead + Duration(drawn);
    }
  }

  Duration next() { return table_[next_++ % kTableSize]; }

 private:
  std::vector<Duration> table_ = std::vector<Duration>(kTableSize);
  std::size_t next_ = 0;
};

// The interface of the engine's queues for what the standard library offers.
class StandardQueue {
 public:
  struct Later {
    bool operator()(const engine::Event& x, const engine::Event& y) const { return y < x; }
  };

  void push(const engine::Event& event) { queue_.push(event); }
  engine::Event pop() {
    const engine::Event first = queue_.top();
    queue_.pop();
    return first;
  }

 private:
  std::priority_queue<engine::Event, std::vector<engine::Event>, Later> queue_;
};

class Calendar {
 public:
  void push(const engine::Event& event) { queue_.push(event); }
  engine::Event pop() {
    engine::Event first;
    queue_.pop_before(Instant::max(), first);
    return first;
  }

 private:
  engine::CalendarQueue queue_;
};

template <class Queue>
std::uint64_t hold(Queue& queue, Increments& increments, std::uint64_t times,
                   std::uint64_t& sequence) {
  std::uint64_t digest = 0;
  for (std::uint64_t n = 0; n < times; ++n) {
    engine::Event event = queue.pop();
    digest = extend_digest(digest, event);
    event.at += increments.next();
    event.order = sequence++;
    queue.push(event);
  }
  return digest;
}

template <class Queue>
HoldReport::Queue measure(std::string name, const HoldOptions& options) {
  Queue queue;
  Increments increments(options);
  std::uint64_t sequence = 0;
  for (std::uint64_t n = 0; n < options.size; ++n) {
    queue.push(engine::Event{.at = Instant{} + increments.next(), .order = sequence++});
  }
  hold(queue, increments, kWarmUp * options.size, sequence);
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t digest = hold(queue, increments, options.holds, sequence);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {std::move(name), static_cast<double>(options.holds) / elapsed.count(), digest};
}

}  // namespace

HoldReport run_hold(const HoldOptions& options) {
  require_option(options.size >= 1, "size", "0", "at least 1");
  require_option(options.holds >= 1, "holds", "0", "at least 1");
  require_option(options.lookahead >= Duration{} && options.mean >= options.lookahead, "mean",
                 fmt::format("{} ps with a lookahead of {} ps", options.mean.count(),
                             options.lookahead.count()),
                 "mean >= lookahead >= 0");
  return {{measure<StandardQueue>("std::priority_queue", options),
           measure<engine::HeapQueue>("heap", options), measure<Calendar>("calendar", options)}};
}

}  // namespace septet::command
