#include "models/workload/training/goodput.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "core/base/error.hpp"
#include "core/base/random.hpp"

namespace septet::training {
namespace {

constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

// Seconds of one seed.
struct Sums {
  double useful = 0, repeated = 0, checkpoints = 0, waiting = 0, failures = 0;
};

// One run, from interruption to interruption.
class Run {
 public:
  Run(const GoodputSpec& spec, double interval, double mean, RandomStream random)
      : spec_(spec),
        end_(spec.days * kDay),
        interval_(interval),
        mean_(mean),
        random_(random),
        by_day_(static_cast<std::size_t>(std::ceil(spec.days)), 0) {}

  void run() {
    while (now_ < end_) {
      work_until(std::min(end_, now_ + random_.exponential(mean_)));
      if (now_ < end_) fail();
    }
  }

  const Sums& sums() const { return sums_; }
  const std::vector<double>& by_day() const { return by_day_; }

 private:
  void work_until(double stop) {
    while (now_ < stop) {
      const double work = std::min(interval_ - since_, stop - now_);
      progress(work);
      since_ += work;
      now_ += work;
      if (now_ >= stop) return;
      const double saved = std::min(to_seconds(spec_.checkpoint), stop - now_);
      sums_.checkpoints += saved;
      now_ += saved;
      if (saved >= to_seconds(spec_.checkpoint)) since_ = 0;
    }
  }

  // Work that was done before is repeated first.
  void progress(double work) {
    const double again = std::min(work, owed_);
    owed_ -= again;
    sums_.repeated += again;
    const double fresh = work - again;
    sums_.useful += fresh;
    for (double at = now_ + again, left = fresh; left > 0;) {
      const auto day = static_cast<std::size_t>(at / kDay);
      const double part = std::min(left, (static_cast<double>(day) + 1) * kDay - at);
      if (day < by_day_.size()) by_day_[day] += part;
      at += part;
      left -= std::max(part, 1e-9);
    }
  }

  void fail() {
    ++sums_.failures;
    owed_ += since_;
    since_ = 0;
    double back = now_ + to_seconds(spec_.detection) + to_seconds(spec_.restart);
    while (!repaired_.empty() && repaired_.top() <= now_) repaired_.pop();
    repaired_.push(now_ + to_seconds(spec_.repair));
    if (repaired_.size() > spec_.spares) back = std::max(back, repaired_.top());
    back = std::min(back, end_);
    sums_.waiting += back - now_;
    now_ = back;
  }

  const GoodputSpec& spec_;
  const double end_;
  const double interval_;
  const double mean_;
  RandomStream random_;
  double now_ = 0;
  double since_ = 0;  // work after the last checkpoint
  double owed_ = 0;   // work to be repeated
  std::priority_queue<double, std::vector<double>, std::greater<>> repaired_;  // when nodes are
  Sums sums_;
  std::vector<double> by_day_;
};

void check(const GoodputSpec& spec) {
  const auto positive = [](const char* key, double value) {
    if (value > 0) return;
    throw ConfigError::value({}, std::string("goodput.") + key, std::to_string(value),
                             "more than 0");
  };
  positive("days", spec.days);
  positive("gpu_hours_between_failures", spec.gpu_hours_between_failures);
  positive("seeds", spec.seeds);
}

double best_interval(const GoodputSpec& spec, double mean) {
  if (spec.interval > Duration(0)) return to_seconds(spec.interval);
  constexpr double kShortest = 60;  // where a checkpoint costs nothing
  return std::max(kShortest, std::sqrt(2 * to_seconds(spec.checkpoint) * mean));
}

}  // namespace

Goodput goodput(const GoodputSpec& spec, std::uint32_t gpus, std::uint64_t seed) {
  check(spec);
  const double mean = spec.gpu_hours_between_failures * kHour / gpus;
  const double interval = best_interval(spec, mean);
  Goodput out;
  out.least = 1;
  out.interval = from_seconds(interval);
  out.by_day.assign(static_cast<std::size_t>(std::ceil(spec.days)), 0);
  const double all = spec.days * kDay * spec.seeds;
  for (std::uint32_t s = 0; s < spec.seeds; ++s) {
    Run run(spec, interval, mean, RandomStream({.seed = seed + s}));
    run.run();
    out.useful += run.sums().useful / all;
    out.repeated += run.sums().repeated / all;
    out.checkpoints += run.sums().checkpoints / all;
    out.waiting += run.sums().waiting / all;
    out.failures += run.sums().failures / spec.seeds;
    out.least = std::min(out.least, run.sums().useful / (spec.days * kDay));
    for (std::size_t day = 0; day < out.by_day.size(); ++day) {
      out.by_day[day] += run.by_day()[day] / kDay / spec.seeds;
    }
  }
  return out;
}

}  // namespace septet::training
