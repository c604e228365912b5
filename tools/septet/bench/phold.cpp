#include "tools/septet/bench/phold.hpp"

#include <chrono>
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
      context.schedule(next_increment(), {});
    }
  }

  void handle(const Event&, Context& context) override {
    const Duration increment = next_increment();
    const double draw = random_.uniform();
    if (draw < options_.remote) {
      context.send(another_process(draw / options_.remote, context.self()), increment, {});
    } else {
      context.schedule(increment, {});
    }
  }

 private:
  Duration next_increment() {
    const auto mean = static_cast<double>((options_.mean - options_.lookahead).count());
    const double random = random_.exponential(mean);
    return options_.lookahead + Duration(static_cast<std::int64_t>(random));
  }

  // All but `self` with the same probability (to 2^-50); `uniform` is in [0, 1).
  ProcessId another_process(double uniform, ProcessId self) const {
    const std::uint32_t others = options_.lps - 1;
    const auto pick = static_cast<ProcessId>(uniform * others);
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
