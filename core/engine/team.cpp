#include "core/engine/team.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include <tbb/parallel_for.h>

namespace septet {
namespace {

// Below this, handing out work costs more than it saves (measured: 2 to 10 us a window).
constexpr std::chrono::microseconds kWorthSharing{15};

}  // namespace

Team::Team(unsigned threads, std::size_t jobs)
    : threads_(threads), arena_(static_cast<int>(threads)), order_(jobs), work_(jobs) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  using Control = tbb::global_control;
  if (threads > Control::active_value(Control::max_allowed_parallelism)) {
    more_threads_.emplace(Control::max_allowed_parallelism, threads);
  }
}

void Team::run(const Job& job) {
  if (--runs_until_sort_ == 0) sort_by_work();
  job_ = &job;
  taken_.store(0, std::memory_order_release);
  const auto begin = Clock::now();
  const bool share = threads_ > 1 && last_effort_ >= kWorthSharing;
  if (share) {
    tbb::parallel_for(0U, threads_, Member{this}, tbb::simple_partitioner());
  } else {
    take_jobs();
  }
  finished_.load(std::memory_order_acquire);
  last_effort_ = (Clock::now() - begin) * (share ? threads_ : 1);
}

void Team::take_jobs() {
  while (true) {
    const std::size_t place = taken_.fetch_add(1, std::memory_order_acq_rel);
    if (place >= order_.size()) break;
    work_[order_[place]] = (*job_)(order_[place]);
  }
  finished_.fetch_add(1, std::memory_order_release);
}

// Now and then, as the load moves slowly compared with the length of a window.
void Team::sort_by_work() {
  runs_until_sort_ = std::bit_width(order_.size()) + 1;
  std::sort(order_.begin(), order_.end(), [this](std::size_t x, std::size_t y) {
    return work_[x] != work_[y] ? work_[x] > work_[y] : x < y;
  });
}

}  // namespace septet
