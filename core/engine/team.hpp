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

  // Calls `job(index)` once for each index; `job` returns how much work it was and must not throw.
  void run(const std::function<std::uint64_t(std::size_t)>& job);

  // Runs `body`, within which `run` is called, where the threads of the team are at hand.
  void gather(const std::function<void()>& body) { arena_.execute(body); }

 private:
  using Clock = std::chrono::steady_clock;

  void sort_by_work();
  void take_jobs(const std::function<std::uint64_t(std::size_t)>& job);

  const unsigned threads_;
  std::optional<tbb::global_control> more_threads_;
  tbb::task_arena arena_;
  std::vector<std::size_t> order_;
  std::vector<std::uint64_t> work_;  // of each job in the last run
  std::atomic<std::size_t> taken_{0};
  std::size_t runs_until_sort_ = 1;
  Clock::duration last_effort_{};  // of all threads together
};

}  // namespace septet
