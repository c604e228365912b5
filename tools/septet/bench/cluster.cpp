#include "tools/septet/bench/cluster.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/engine/simulation.hpp"
#include "tools/septet/bench/option_error.hpp"

namespace septet::command {
namespace {

constexpr std::uint16_t kStep = 0;
constexpr std::uint16_t kMessage = 1;

class GpuProcess : public engine::LogicalProcess {
 public:
  explicit GpuProcess(const ClusterOptions& options) : options_(options) {}

  void start(engine::Context& context) override {
    random_ = context.random(0);
    start_kernel(context);
  }

  void handle(const engine::Event& event, engine::Context& context) override {
    if (event.kind == kMessage) return;
    if (context.now() < end_) return schedule_step(context);
    context.send(another_gpu(context.self()), options_.lookahead, {.kind = kMessage});
    start_kernel(context);
  }

  bool has_dynamic_lookahead() const override { return options_.dynamic_lookahead; }
  Instant earliest_output_time(Instant) const override { return end_; }

 private:
  void start_kernel(engine::Context& context) {
    const auto mean = static_cast<double>(options_.kernel.count());
    end_ = context.now() + Duration(1 + static_cast<std::int64_t>(random_.exponential(mean)));
    schedule_step(context);
  }

  void schedule_step(engine::Context& context) const {
    context.schedule(std::min(options_.step, end_ - context.now()), {.kind = kStep});
  }

  engine::LpId another_gpu(engine::LpId self) {
    const auto pick = static_cast<engine::LpId>(random_.below(options_.gpus - 1));
    return pick < self ? pick : pick + 1;
  }

  const ClusterOptions& options_;
  RandomStream random_{RandomKey{}};
  Instant end_;  // of the kernel
};

void require_positive(Duration got, const std::string& key) {
  require_option(got > Duration{}, key, fmt::format("{} ps", got.count()), "more than 0");
}

void check(const ClusterOptions& options) {
  require_option(options.gpus >= 2 && options.gpus <= engine::kMaxLps, "gpus",
                 fmt::to_string(options.gpus), fmt::format("2 to {}", engine::kMaxLps));
  require_positive(options.kernel, "kernel");
  require_positive(options.step, "step");
  require_positive(options.lookahead, "lookahead");
  require_positive(options.end, "end");
}

}  // namespace

EngineReport run_cluster(const ClusterOptions& options) {
  check(options);
  return time_lps<GpuProcess>(options.gpus, options);
}

}  // namespace septet::command
