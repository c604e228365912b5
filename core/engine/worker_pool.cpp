#include "core/engine/worker_pool.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

#include <tbb/parallel_for.h>

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
constexpr milliseconds kAwake{4};     // then it sleeps
constexpr int kLooks = 64;            // at the round before it looks at the time

constexpr int kRoundsPerBalance = 32;
constexpr int kUnevenPercent = 115;  // of the mean load; less is not worth cold caches

// Threads of the pool come from TBB, which orders what they do after what the one that calls them
// did before, and the reverse at the end. These do the same visibly for the thread sanitizer, which
// cannot look into TBB; they are static so that it sees no beginning of their lives.
constinit std::atomic<std::size_t> handed_over{0};
constinit std::atomic<std::size_t> handed_back{0};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads, std::size_t jobs)
    : threads_(threads), arena_(static_cast<int>(threads)), homes_(threads), job_times_(jobs) {
  for (std::size_t job = 0; job < jobs; ++job) homes_[home(job)].jobs.push_back(job);
  using Control = tbb::global_control;
  if (threads > Control::active_value(Control::max_allowed_parallelism)) {
    more_threads_.emplace(Control::max_allowed_parallelism, threads);
  }
}

void WorkerPool::run(Work& work) {
  work_ = &work;
  open_rounds(0);
  if (!over_.load(std::memory_order_relaxed)) start_workers();
  if (error_) std::rethrow_exception(error_);
}

void WorkerPool::start_workers() {
  handed_over.fetch_add(1, std::memory_order_release);
  arena_.execute([this] {
    tbb::parallel_for(std::size_t{0}, threads_, Worker{this}, tbb::simple_partitioner());
  });
  handed_back.load(std::memory_order_acquire);
}

void WorkerPool::Worker::operator()(std::size_t thread) const {
  handed_over.load(std::memory_order_acquire);
  pool->work_on_rounds(thread);
  handed_back.fetch_add(1, std::memory_order_release);
}

// Between rounds no jobs are left anywhere, so that nothing is done then.
void WorkerPool::work_on_rounds(std::size_t thread) {
  while (!over_.load(std::memory_order_acquire)) {
    const std::int64_t round = round_.load(std::memory_order_acquire);
    const Done own = do_jobs(homes_[thread], thread);
    if (finish(own, thread)) continue;
    Clock::duration patience = std::max<Clock::duration>(kPatience, own.took / 2);
    while (still_in_round_after(round, patience)) {
      if (finish(help(thread, round), thread)) break;
      patience *= 2;
    }
  }
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
      if (threads_ > 1 && round_work_ >= kWorthSharing) return begin_shared_round();
      do_round_alone(thread);
    }
  } catch (...) {
    error_ = std::current_exception();
  }
  over_.store(true, std::memory_order_release);
  notify();
}

void WorkerPool::begin_shared_round() {
  if (--rounds_until_balance_ == 0) balance();
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
bool WorkerPool::still_in_round_after(std::int64_t round, Clock::duration patience) {
  if (patience > kAwake) return sleep(round), false;
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

// Moves jobs from the home with most work to that with least, as long as that helps.
void WorkerPool::balance() {
  rounds_until_balance_ = kRoundsPerBalance;
  occupied_.clear();
  for (std::size_t home = 0; home < threads_; ++home) work_->receive(home);
  std::vector<Clock::duration> loads = loads_of_homes();
  while (move_one_job(loads)) {
  }
  for (Home& home : homes_) {
    if (!home.jobs.empty()) occupied_.push_back(&home);
    std::sort(home.jobs.begin(), home.jobs.end(), [this](std::size_t x, std::size_t y) {
      return job_times_[x].time != job_times_[y].time ? job_times_[x].time < job_times_[y].time
                                                      : x < y;
    });
  }
  for (JobTime& job : job_times_) job.time /= 2;  // what was long ago counts less
}

std::vector<WorkerPool::Clock::duration> WorkerPool::loads_of_homes() const {
  std::vector<Clock::duration> loads;
  for (const Home& home : homes_) {
    loads.emplace_back();
    for (const std::size_t job : home.jobs) loads.back() += job_times_[job].time;
  }
  return loads;
}

bool WorkerPool::move_one_job(std::vector<Clock::duration>& loads) {
  const auto most = std::max_element(loads.begin(), loads.end());
  const auto least = std::min_element(loads.begin(), loads.end());
  const Clock::duration all = std::accumulate(loads.begin(), loads.end(), Clock::duration{});
  if (*most * threads_ * 100 <= all * kUnevenPercent) return false;
  auto& giving = homes_[static_cast<std::size_t>(most - loads.begin())].jobs;
  const auto to = static_cast<std::size_t>(least - loads.begin());
  const auto job = largest_below(giving, (*most - *least) / 2);
  if (job == giving.end()) return false;
  *most -= job_times_[*job].time;
  *least += job_times_[*job].time;
  work_->move(*job, to);
  homes_[to].jobs.push_back(*job);
  giving.erase(job);
  return true;
}

// Of `jobs`, the one with the most work that is at most `limit`, if any has some.
WorkerPool::Jobs::iterator WorkerPool::largest_below(Jobs& jobs, Clock::duration limit) const {
  auto best = jobs.end();
  for (auto job = jobs.begin(); job != jobs.end(); ++job) {
    const Clock::duration work = job_times_[*job].time;
    if (work <= Clock::duration{} || work > limit) continue;
    if (best == jobs.end() || work > job_times_[*best].time) best = job;
  }
  return best;
}

}  // namespace septet::engine
