// Runs one job for each partition, on several threads, and returns when all are done.
//
// Threads take partitions one by one, those with most work in the last window first, so that the
// last ones to be taken are short. Little work is done by the calling thread alone: waking others
// would take longer. Times decide only who does what, which no result depends on.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace septet {

class Team {
 public:
  Team(unsigned threads, std::size_t jobs);

  // Does the job of one index, which must not throw; returns how much work it was.
  using Job = std::function<std::uint64_t(std::size_t)>;

  // Calls `job` once for each index.
  void run(const Job& job);

  // Runs `body`, within which `run` is called, where the threads of the team are at hand.
  void gather(const std::function<void()>& body) { arena_.execute(body); }

 private:
  using Clock = std::chrono::steady_clock;

  // What each thread does; a function of its own so that tests/tsan.supp can name it.
  struct Member {
    [[gnu::noinline]] void operator()(unsigned) const { team->take_jobs(); }
    Team* team;
  };

  void sort_by_work();
  void take_jobs();

  const unsigned threads_;
  std::optional<tbb::global_control> more_threads_;
  tbb::task_arena arena_;
  std::vector<std::size_t> order_;
  std::vector<std::uint64_t> work_;  // of each job in the last run
  const Job* job_ = nullptr;
  // TBB orders the jobs of one run before those of the next; these two do so as well, visibly for
  // the thread sanitizer, which cannot look into TBB.
  std::atomic<std::size_t> taken_{0};     // of `order_`
  std::atomic<std::size_t> finished_{0};  // threads that found nothing more to take
  std::size_t runs_until_sort_ = 1;
  Clock::duration last_effort_{};  // of all threads together
};

}  // namespace septet
