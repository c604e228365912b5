#include "tools/septet/bench/phold.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/engine/simulation.hpp"
#include "tools/septet/bench/option_error.hpp"

namespace septet::command {
namespace {

class PholdLp : public engine::LogicalProcess {
 public:
  explicit PholdLp(const PholdOptions& options) : options_(options) {}

  void start(engine::Context& context) override {
    random_ = context.random(0);
    for (std::uint32_t n = 0; n < options_.events_per_lp; ++n) {
      draw();
      context.schedule(increment_, {});
    }
    draw();
  }

  // The draw here is for the next event, so that the processor can continue with others meanwhile.
  void handle(const engine::Event&, engine::Context& context) override {
    if (choice_ < options_.remote) {
      context.send(another_process(context.self()), increment_, {});
    } else {
      context.schedule(increment_, {});
    }
    draw();
  }

 private:
  // One draw serves for all choices, because drawing takes longer than everything else that a
  // LP does here: the upper 32 bits for the increment, the lower 32 for where it goes.
  void draw() {
    const std::uint64_t draw = random_.next();
    increment_ = increment(static_cast<double>(draw >> 32) * 0x1.0p-32 + 0x1.0p-33);
    choice_ = static_cast<double>(static_cast<std::uint32_t>(draw)) * 0x1.0p-32;
  }

  Duration increment(double uniform) const {
    const auto mean = static_cast<double>((options_.mean - options_.lookahead).count());
    return options_.lookahead + Duration(static_cast<std::int64_t>(-mean * std::log(uniform)));
  }

  // Where `choice_` is below the share of remote events it is uniform there.
  engine::LpId another_process(engine::LpId self) const {
    const std::uint32_t others = options_.lps - 1;
    const auto pick = static_cast<engine::LpId>(choice_ / options_.remote * others);
    const engine::LpId other = std::min(pick, others - 1);  // the quotient may be rounded up to 1
    return other < self ? other : other + 1;
  }

  const PholdOptions& options_;
  RandomStream random_{RandomKey{}};
  Duration increment_;
  double choice_ = 0;
};

void check(const PholdOptions& options) {
  require_option(options.lps >= 2 && options.lps <= engine::kMaxLps, "lps",
                 fmt::to_string(options.lps), fmt::format("2 to {}", engine::kMaxLps));
  require_option(options.remote >= 0 && options.remote <= 1, "remote",
                 fmt::to_string(options.remote), "a share from 0 to 1");
  require_option(options.lookahead > Duration{}, "lookahead",
                 fmt::format("{} ps", options.lookahead.count()), "more than 0");
  require_option(options.mean >= options.lookahead, "mean",
                 fmt::format("{} ps", options.mean.count()),
                 fmt::format("at least the lookahead, {} ps", options.lookahead.count()));
  require_option(options.end > Duration{}, "end", fmt::format("{} ps", options.end.count()),
                 "more than 0");
  require_option(options.threads >= 1, "threads", "0", "at least 1");
}

}  // namespace

EngineReport run_phold(const PholdOptions& options) {
  check(options);
  return time_lps<PholdLp>(options.lps, options);
}

}  // namespace septet::command
