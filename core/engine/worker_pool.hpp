// A pool of threads that executes rounds of jobs; all jobs of a round are done before the next one
// opens.
//
// Every job has a home, the thread that usually does it, so that what it works on stays in one
// core's cache. A thread does the jobs of its home, longest first, and those of others if they are
// late. The thread that does the last job of a round opens the next one: nobody waits for a
// thread that has nothing to do, as one that the machine has given to somebody else. Rounds with
// little work are done by that thread alone, because waking others would take longer.
//
// On a busy machine a thread that has lost its core in the middle of a job keeps all others
// waiting. One that loses more of its time than it is worth to the rest goes to sleep for a while,
// the longer the more often that happens, and others take its jobs; one thread always remains.
// Measured times decide only who does what, which no result depends on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "core/engine/cache_line.hpp"
#include "core/engine/core_loss.hpp"

namespace septet::engine {

class WorkerPool {
 public:
  // What the pool does.
  class Work {
   public:
    virtual ~Work() = default;
    // Between rounds, by one thread: makes the next round ready; false: there is none. What it
    // throws ends the rounds.
    virtual bool open_round() = 0;
    // Once a round for each home, before its jobs. Must not throw, nor must the following.
    virtual void receive(std::size_t home) = 0;
    // Once a round for each job; `thread` counts from 0.
    virtual void handle(std::size_t thread, std::size_t job) = 0;
    // Whether `job` takes hardly longer this time than to look at a clock.
    virtual bool is_idle(std::size_t job) const = 0;
    // Between rounds, everything being received: `job` has a new home.
    virtual void move(std::size_t job, std::size_t home) = 0;
  };

  WorkerPool(unsigned threads, std::size_t jobs);

  // Where `job` is at first.
  std::size_t home(std::size_t job) const { return job * threads_ / job_times_.size(); }

  // Rounds until there is none left; an exception of Work::open_round is thrown on. Once per pool.
  void run(Work& work);

 private:
  using Clock = std::chrono::steady_clock;
  using Jobs = std::vector<std::size_t>;
  using Loads = std::vector<Clock::duration>;  // by home

  struct alignas(kDestructiveInterference) Home {
    std::atomic<bool> received{true};   // in this round, or somebody is at it
    std::atomic<std::int64_t> left{0};  // jobs not taken yet: the first so many of `jobs`
    Jobs jobs;                          // shortest first
    Clock::duration spent{};            // by its thread in this round, on whatever jobs
    std::atomic<bool> resting{false};   // its thread
    Clock::duration rest{};             // how long that was last; 0: the core was its own of late
    CoreLoss loss;                      // of its thread
  };

  struct alignas(kDestructiveInterference) JobTime {
    Clock::duration time{};
  };
  struct Done {
    std::size_t jobs = 0;
    Clock::duration took{};
  };

  void work_on_rounds(std::size_t thread);
  void rest_if_core_is_taken(Home& home);
  void rest(Home& home);
  bool finish(const Done& done, std::size_t thread);
  Done do_jobs(Home& home, std::size_t thread);
  Done help(std::size_t thread, std::int64_t round);
  void receive(Home& home);
  Clock::duration do_job(std::size_t job, std::size_t thread);
  void open_rounds(std::size_t thread);
  void begin_shared_round();
  void do_round_alone(std::size_t thread);
  void notify();
  bool still_in_round_after(std::int64_t round, Clock::duration patience, Home& own);
  void sleep(std::int64_t round);
  void balance();
  std::vector<std::size_t> staffed_homes() const;
  Loads loads_of_homes() const;
  static std::size_t least_loaded(const Loads& loads, const std::vector<std::size_t>& homes);
  void empty_home(std::size_t from, Loads& loads, const std::vector<std::size_t>& staffed);
  bool move_one_job(Loads& loads, const std::vector<std::size_t>& staffed);
  void move(std::size_t job, std::size_t from, std::size_t to, Loads& loads);
  Jobs::iterator largest_below(Jobs& jobs, Clock::duration limit) const;

  const std::size_t threads_;
  std::optional<tbb::global_control> more_threads_;
  tbb::task_arena arena_;
  std::vector<Home> homes_;
  // Those with jobs. Nobody receives for others, because nobody would wait for the end of that.
  std::vector<Home*> occupied_;
  std::vector<JobTime> job_times_;  // of late
  int rounds_until_balance_ = 1;
  Clock::duration round_work_ = Clock::duration::max();  // of all threads in the last round
  Work* work_ = nullptr;
  std::exception_ptr error_;

  alignas(kDestructiveInterference) std::atomic<std::size_t> unfinished_{0};  // jobs of this round
  alignas(kDestructiveInterference) std::atomic<std::int64_t> round_{0};  // counts shared rounds
  alignas(kDestructiveInterference) std::atomic<bool> over_{false};
  std::atomic<std::size_t> awake_;          // threads that do not rest
  std::atomic<bool> staff_changed_{false};  // since the last balance
  std::atomic<int> sleepers_{0};
  std::mutex sleep_;
  std::condition_variable wake_;
  std::condition_variable end_;  // for those who rest
};

}  // namespace septet::engine
