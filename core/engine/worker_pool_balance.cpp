// Which thread is at home with which job.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/engine/worker_pool.hpp"

namespace septet::engine {
namespace {

constexpr int kRoundsPerBalance = 32;
constexpr int kUnevenPercent = 115;  // of the mean load; less is not worth cold caches

}  // namespace

// Moves jobs from the home with most work to that with least, as long as that helps, and all jobs
// away from homes whose threads rest.
void WorkerPool::balance() {
  rounds_until_balance_ = kRoundsPerBalance;
  staff_changed_.store(false);
  occupied_.clear();
  for (std::size_t home = 0; home < threads_; ++home) work_->receive(home);
  Loads loads = loads_of_homes();
  const std::vector<std::size_t> staffed = staffed_homes();
  for (std::size_t home = 0; home < threads_; ++home) {
    if (std::ranges::find(staffed, home) == staffed.end()) empty_home(home, loads, staffed);
  }
  while (move_one_job(loads, staffed)) {
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

std::vector<std::size_t> WorkerPool::staffed_homes() const {
  std::vector<std::size_t> staffed;
  for (std::size_t home = 0; home < threads_; ++home) {
    if (!homes_[home].resting.load()) staffed.push_back(home);
  }
  return staffed;
}

WorkerPool::Loads WorkerPool::loads_of_homes() const {
  Loads loads;
  for (const Home& home : homes_) {
    loads.emplace_back();
    for (const std::size_t job : home.jobs) loads.back() += job_times_[job].time;
  }
  return loads;
}

std::size_t WorkerPool::least_loaded(const Loads& loads, const std::vector<std::size_t>& homes) {
  return *std::ranges::min_element(homes, {}, [&](std::size_t home) { return loads[home]; });
}

void WorkerPool::empty_home(std::size_t from, Loads& loads,
                            const std::vector<std::size_t>& staffed) {
  for (const std::size_t job : std::exchange(homes_[from].jobs, {})) {
    move(job, from, least_loaded(loads, staffed), loads);
  }
}

bool WorkerPool::move_one_job(Loads& loads, const std::vector<std::size_t>& staffed) {
  const auto most = std::max_element(loads.begin(), loads.end());
  const std::size_t least = least_loaded(loads, staffed);
  const Clock::duration all = std::accumulate(loads.begin(), loads.end(), Clock::duration{});
  if (*most * staffed.size() * 100 <= all * kUnevenPercent) return false;
  const auto from = static_cast<std::size_t>(most - loads.begin());
  Jobs& giving = homes_[from].jobs;
  const auto job = largest_below(giving, (*most - loads[least]) / 2);
  if (job == giving.end()) return false;
  move(*job, from, least, loads);
  giving.erase(job);
  return true;
}

// Of `job`, all but its place in the list of the home that it leaves.
void WorkerPool::move(std::size_t job, std::size_t from, std::size_t to, Loads& loads) {
  loads[from] -= job_times_[job].time;
  loads[to] += job_times_[job].time;
  work_->move(job, to);
  homes_[to].jobs.push_back(job);
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
