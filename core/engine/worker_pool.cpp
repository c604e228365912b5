#include "core/engine/worker_pool.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/engine/independent_work.hpp"

namespace septet::engine {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// Below this, sharing costs more than it saves (measured: 2 to 10 us a round).
constexpr microseconds kWorthSharing{15};

// How a thread without work waits. What others have left it takes only if they are late, because
// it must fetch what a job works on out of another core's cache, and its owner must get it back:
// a job takes some three times as long then.
constexpr microseconds kPatience{5};  // or half as long as its own jobs took
constexpr microseconds kSpin{50};     // then it offers its core to others now and then
constexpr milliseconds kAwake{1};     // then it sleeps; who lost a core can get this one
constexpr int kLooks = 64;            // at the round before it looks at the time

// A thread whose core is taken for this part of its fair share of the work slows the others down
// by more than it does: with n threads, as soon as it loses more than 1/n of its time. It then
// rests, and twice as long each time that it finds its core taken again.
constexpr double kLossWorthARest = 0.75;
constexpr milliseconds kFirstRest{20};
constexpr milliseconds kLongestRest{640};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads, std::size_t jobs)
    : threads_(threads),
      arena_(static_cast<int>(threads)),
      homes_(threads),
      job_times_(jobs),
      awake_(threads) {
  for (std::size_t job = 0; job < jobs; ++job) homes_[home(job)].jobs.push_back(job);
  using Control = tbb::global_control;
  if (threads > Control::active_value(Control::max_allowed_parallelism)) {
    more_threads_.emplace(Control::max_allowed_parallelism, threads);
  }
}

void WorkerPool::run(Work& work) {
  work_ = &work;
  open_rounds(0);
  if (!over_.load(std::memory_order_relaxed)) {
    for_each_independent(threads_, arena_, [this](std::size_t thread) { work_on_rounds(thread); });
  }
  if (error_) std::rethrow_exception(error_);
}

// Between rounds no jobs are left anywhere, so that nothing is done then.
void WorkerPool::work_on_rounds(std::size_t thread) {
  homes_[thread].loss.restart();
  while (true) {
    rest_if_core_is_taken(homes_[thread]);
    // The round first: after its last change nobody wakes those who wait for another one.
    const std::int64_t round = round_.load(std::memory_order_acquire);
    if (over_.load(std::memory_order_acquire)) return;
    const Done own = do_jobs(homes_[thread], thread);
    if (finish(own, thread)) continue;
    Clock::duration patience = std::max<Clock::duration>(kPatience, own.took / 2);
    while (still_in_round_after(round, patience, homes_[thread])) {
      if (finish(help(thread, round), thread)) break;
      patience *= 2;
    }
  }
}

void WorkerPool::rest_if_core_is_taken(Home& home) {
  const std::optional<double> lost = home.loss.share();
  if (!lost) return;
  if (*lost * static_cast<double>(threads_) < kLossWorthARest) {
    home.rest = {};
  } else {
    rest(home);
  }
}

// Unless nobody else would be left. What is at home now, others find there.
void WorkerPool::rest(Home& home) {
  std::size_t awake = awake_.load();
  do {
    if (awake == 1) return;
  } while (!awake_.compare_exchange_weak(awake, awake - 1));
  home.rest = std::clamp<Clock::duration>(home.rest * 2, kFirstRest, kLongestRest);
  home.resting.store(true);
  staff_changed_.store(true);
  {
    std::unique_lock lock(sleep_);
    end_.wait_for(lock, home.rest, [&] { return over_.load(); });
  }
  home.resting.store(false);
  staff_changed_.store(true);
  awake_.fetch_add(1);
  home.loss.restart();
}

// Opens the next round if these were the last jobs of this one.
bool WorkerPool::finish(const Done& done, std::size_t thread) {
  if (done.jobs == 0) return false;
  if (unfinished_.fetch_sub(done.jobs, std::memory_order_acq_rel) != done.jobs) return false;
  round_work_ = {};
  for (Home& home : homes_) round_work_ += std::exchange(home.spent, {});
  open_rounds(thread);
  return true;
}

// The jobs of `home` that nobody has taken.
WorkerPool::Done WorkerPool::do_jobs(Home& home, std::size_t thread) {
  receive(home);
  Done done;
  while (home.left.load(std::memory_order_relaxed) > 0) {
    const std::int64_t place = home.left.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (place < 0) break;
    done.took += do_job(home.jobs[static_cast<std::size_t>(place)], thread);
    ++done.jobs;
  }
  if (done.jobs > 0) homes_[thread].spent += done.took;
  return done;
}

// Those of others; up to the next round, in which the thread must do its own first.
WorkerPool::Done WorkerPool::help(std::size_t thread, std::int64_t round) {
  Done all;
  for (std::size_t step = 1; step < threads_; ++step) {
    if (round_.load(std::memory_order_acquire) != round) break;
    const Done done = do_jobs(homes_[(thread + step) % threads_], thread);
    all.jobs += done.jobs;
    all.took += done.took;
  }
  return all;
}

// Unless somebody did it in this round.
void WorkerPool::receive(Home& home) {
  if (home.received.load(std::memory_order_relaxed)) return;
  if (home.received.exchange(true, std::memory_order_acq_rel)) return;
  work_->receive(static_cast<std::size_t>(&home - homes_.data()));
  home.left.store(static_cast<std::int64_t>(home.jobs.size()), std::memory_order_release);
}

WorkerPool::Clock::duration WorkerPool::do_job(std::size_t job, std::size_t thread) {
  if (work_->is_idle(job)) return work_->handle(thread, job), Clock::duration{};
  const Clock::time_point begin = Clock::now();
  work_->handle(thread, job);
  const Clock::duration took = Clock::now() - begin;
  job_times_[job].time += took;
  return took;
}

// Opens rounds until one is worth sharing, or there is none left.
void WorkerPool::open_rounds(std::size_t thread) {
  try {
    while (work_->open_round()) {
      if (awake_.load(std::memory_order_relaxed) > 1 && round_work_ >= kWorthSharing) {
        return begin_shared_round();
      }
      do_round_alone(thread);
    }
  } catch (...) {
    error_ = std::current_exception();
  }
  {
    const std::lock_guard lock(sleep_);
    over_.store(true, std::memory_order_release);
  }
  end_.notify_all();
  notify();
}

void WorkerPool::begin_shared_round() {
  if (--rounds_until_balance_ <= 0 || staff_changed_.load(std::memory_order_relaxed)) balance();
  unfinished_.store(job_times_.size(), std::memory_order_relaxed);
  // With the last home the round may be over before the next line: only what is at hand or atomic
  // is looked at from here on.
  for (Home* home : occupied_) home->received.store(false, std::memory_order_release);
  notify();
}

void WorkerPool::do_round_alone(std::size_t thread) {
  const Clock::time_point begin = Clock::now();
  for (std::size_t home = 0; home < threads_; ++home) work_->receive(home);
  for (std::size_t job = 0; job < job_times_.size(); ++job) work_->handle(thread, job);
  round_work_ = Clock::now() - begin;
}

// Tells those who wait that there is something to do, or nothing any more.
void WorkerPool::notify() {
  round_.fetch_add(1);
  if (sleepers_.load() == 0) return;
  const std::lock_guard lock(sleep_);
  wake_.notify_all();
}

// Waits; false as soon as the round is over.
bool WorkerPool::still_in_round_after(std::int64_t round, Clock::duration patience, Home& own) {
  if (patience > kAwake) {
    sleep(round);
    own.loss.restart();
    return false;
  }
  const Clock::time_point begin = Clock::now();
  while (true) {
    for (int look = 0; look < kLooks; ++look) {
      if (round_.load(std::memory_order_acquire) != round) return false;
      pause();
    }
    const Clock::duration waited = Clock::now() - begin;
    if (waited >= patience) return true;
    if (waited >= kSpin) std::this_thread::yield();
  }
}

// Who sleeps says so before looking at the round once more, and who changes the round does so
// before looking for sleepers: one of the two sees the other.
void WorkerPool::sleep(std::int64_t round) {
  std::unique_lock lock(sleep_);
  sleepers_.fetch_add(1);
  wake_.wait(lock, [&] { return round_.load() != round; });
  sleepers_.fetch_sub(1);
}

}  // namespace septet::engine
