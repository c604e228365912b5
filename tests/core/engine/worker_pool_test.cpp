#include "core/engine/worker_pool.hpp"

#include <functional>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace septet::engine {
namespace {

// Rounds whose jobs a test writes down in place; checks what a pool owes its work.
class Rounds : public WorkerPool::Work {
 public:
  using Job = std::function<void(int round, std::size_t job)>;

  Rounds(unsigned threads, std::size_t jobs, int rounds, Job job)
      : pool_(threads, jobs),
        rounds_(rounds),
        job_(std::move(job)),
        received_(threads),
        done_(jobs),
        home_(jobs) {
    for (std::size_t index = 0; index < jobs; ++index) home_[index] = pool_.home(index);
  }

  void run() { pool_.run(*this); }

  bool open_round() override {
    for (auto& done : done_) EXPECT_EQ(done.exchange(0), round_ < 0 ? 0 : 1);
    for (auto& received : received_) received.store(false);
    return ++round_ < rounds_;
  }
  void receive(std::size_t home) override { received_[home].store(true); }
  void handle(std::size_t, std::size_t job) override {
    EXPECT_TRUE(received_[home_[job]].load());
    job_(round_, job);
    ++done_[job];
  }
  bool is_idle(std::size_t job) const override { return job == 1; }
  void move(std::size_t job, std::size_t home) override {
    home_[job] = home;
    ++moves_;
  }

  std::size_t home(std::size_t job) const { return home_[job]; }
  int moves() const { return moves_; }

 private:
  WorkerPool pool_;
  const int rounds_;
  const Job job_;
  int round_ = -1;
  std::vector<std::atomic<bool>> received_;  // by home
  std::vector<std::atomic<int>> done_;       // by job, in this round
  std::vector<std::size_t> home_;
  int moves_ = 0;
};

void work_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(WorkerPool, DoesEveryJobOnceInEveryRoundAfterItsHomeReceived) {
  for (const unsigned threads : {1U, 2U, 5U, 16U}) {
    // Long rounds, which are shared, and short ones, which are not.
    Rounds rounds(threads, 37, 120, [](int round, std::size_t job) {
      if (round % 8 != 0) work_for(std::chrono::microseconds(job % 3));
    });
    rounds.run();
  }
}

TEST(WorkerPool, UsesTheThreadsThatItWasGiven) {
  // Two jobs of a round meet only where two threads do them. A round may be one of a single thread
  // while the other one rests, which is why a job doesn't wait forever.
  std::atomic<int> present{0};
  std::atomic<bool> met{false};
  Rounds rounds(2, 2, 500, [&](int, std::size_t) {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    ++present;
    while (!met && std::chrono::steady_clock::now() < latest) {
      if (present == 2) met = true;
      std::this_thread::yield();
    }
    --present;
    work_for(std::chrono::microseconds(20));  // worth sharing, so that the next round is
  });
  rounds.run();
  EXPECT_TRUE(met);
}

TEST(WorkerPool, MovesJobsToThreadsWithLessWork) {
  // All work is in the jobs 0 ... 3, which have one home at first.
  Rounds rounds(2, 8, 100, [](int, std::size_t job) {
    if (job < 4) work_for(std::chrono::microseconds(20));
  });
  for (std::size_t job = 0; job < 4; ++job) EXPECT_EQ(rounds.home(job), 0U);
  rounds.run();
  EXPECT_GT(rounds.moves(), 0);
}

TEST(WorkerPool, DoesAllJobsWhileThreadsLoseTheirCores) {
  // Who sleeps inside of a job has no core for that time, as where others take it: threads rest
  // in turn, and come back.
  for (const unsigned threads : {2U, 3U, 8U}) {
    Rounds rounds(threads, 24, 60, [](int, std::size_t job) {
      if (job % 8 == 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      work_for(std::chrono::microseconds(10));
    });
    rounds.run();
  }
}

TEST(WorkerPool, RethrowsWhatOpenRoundThrows) {
  class Failing : public WorkerPool::Work {
   public:
    bool open_round() override {
      if (++rounds_ == 3) throw std::runtime_error("no third round");
      return true;
    }
    void receive(std::size_t) override {}
    void handle(std::size_t, std::size_t) override { work_for(std::chrono::microseconds(20)); }
    bool is_idle(std::size_t) const override { return false; }
    void move(std::size_t, std::size_t) override {}

   private:
    int rounds_ = 0;
  };
  for (const unsigned threads : {1U, 3U}) {
    WorkerPool pool(threads, 4);
    Failing work;
    EXPECT_THROW(pool.run(work), std::runtime_error);
  }
}

}  // namespace
}  // namespace septet::engine
