// How much of the time a thread that wants to run cannot, because the machine has given its core
// to somebody else. Of one thread; measured times decide only who does what.
#pragma once

#include <chrono>
#include <ctime>
#include <optional>

namespace septet::engine {

class CoreLoss {
 public:
  using Clock = std::chrono::steady_clock;

  // The scheduler hands out a core for some milliseconds at a time: less says nothing.
  static constexpr std::chrono::milliseconds kLongEnough{10};

  // Measures from now on; also after a sleep, which is no loss.
  void restart() {
    since_ = Clock::now();
    cpu_since_ = cpu_time();
  }

  // The share that was lost since the last answer, once that is long enough ago.
  std::optional<double> share() {
    const Clock::duration wall = Clock::now() - since_;
    if (wall < kLongEnough) return std::nullopt;
    const Clock::duration ran = cpu_time() - cpu_since_;
    restart();
    return 1 - std::chrono::duration<double>(ran) / std::chrono::duration<double>(wall);
  }

 private:
  static Clock::duration cpu_time() {
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  Clock::time_point since_{};
  Clock::duration cpu_since_{};
};

}  // namespace septet::engine
