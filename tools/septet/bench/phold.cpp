#include "tools/septet/bench/phold.hpp"

#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engine/simulation.hpp"

namespace septet {
namespace {

class PholdProcess : public LogicalProcess {
 public:
  explicit PholdProcess(const PholdOptions& options) : options_(options) {}

  void start(Context& context) override {
    random_ = context.random(0);
    for (std::uint32_t n = 0; n < options_.events_per_lp; ++n) {
      context.schedule(increment(random_.next()), {});
    }
  }

  void handle(const Event&, Context& context) override {
    const std::uint64_t draw = random_.next();
    if (is_remote(draw)) {
      context.send(another_process(context.self()), increment(draw), {});
    } else {
      context.schedule(increment(draw), {});
    }
  }

 private:
  // One draw serves for two choices, because drawing takes longer than everything else that a
  // process does here: the upper 40 bits for the increment, the lower 24 for where it goes.
  static constexpr int kChoiceBits = 24;

  Duration increment(std::uint64_t draw) const {
    const double uniform = (static_cast<double>(draw >> kChoiceBits) + 0.5) * 0x1.0p-40;
    const auto mean = static_cast<double>((options_.mean - options_.lookahead).count());
    return options_.lookahead + Duration(static_cast<std::int64_t>(-mean * std::log(uniform)));
  }

  bool is_remote(std::uint64_t draw) const {
    const std::uint64_t choice = draw & ((std::uint64_t{1} << kChoiceBits) - 1);
    return static_cast<double>(choice) < options_.remote * (1U << kChoiceBits);
  }

  ProcessId another_process(ProcessId self) {
    const auto pick = static_cast<ProcessId>(random_.below(options_.lps - 1));
    return pick < self ? pick : pick + 1;
  }

  const PholdOptions& options_;
  RandomStream random_{RandomKey{}};
};

void require(bool condition, const std::string& key, const std::string& got,
             const std::string& wanted) {
  if (!condition) throw ConfigError::value({}, key, got, wanted);
}

void check(const PholdOptions& options) {
  require(options.lps >= 2 && options.lps <= kMaxProcesses, "lps", fmt::to_string(options.lps),
          fmt::format("2 to {}", kMaxProcesses));
  require(options.remote >= 0 && options.remote <= 1, "remote", fmt::to_string(options.remote),
          "a share from 0 to 1");
  require(options.lookahead > Duration{}, "lookahead",
          fmt::format("{} ps", options.lookahead.count()), "more than 0");
  require(options.mean >= options.lookahead, "mean", fmt::format("{} ps", options.mean.count()),
          fmt::format("at least the lookahead, {} ps", options.lookahead.count()));
  require(options.end > Duration{}, "end", fmt::format("{} ps", options.end.count()),
          "more than 0");
  require(options.threads >= 1, "threads", "0", "at least 1");
}

}  // namespace

PholdReport run_phold(const PholdOptions& options) {
  check(options);
  Simulation simulation;
  for (std::uint32_t lp = 0; lp < options.lps; ++lp) {
    simulation.add(std::make_unique<PholdProcess>(options), lp);
  }
  simulation.connect_all(options.lookahead);
  const auto begin = std::chrono::steady_clock::now();
  const RunResult result = simulation.run({.threads = options.threads,
                                           .partitions = options.partitions,
                                           .seed = options.seed,
                                           .end = Instant{} + options.end});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {.events = result.events,
          .seconds = elapsed.count(),
          .events_per_s = static_cast<double>(result.events) / elapsed.count(),
          .digest = result.digest,
          .windows = result.windows};
}

}  // namespace septet
