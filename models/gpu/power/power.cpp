#include "models/gpu/power/power.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace septet::gpu {
namespace {

constexpr double kPico = 1e-12;

// A load whose rates follow the clock.
LoadPower at_rate(const LoadPower& load, double rate) {
  return {load.dram * rate, load.l2 * rate, load.core * rate};
}

// Searches the steps below the full clock, whose power exceeds the limit.
class ClockSearch {
 public:
  ClockSearch(const PowerSpec& spec, Frequency full,
              const std::function<LoadPower(Frequency)>& load)
      : spec_(spec), full_(full), load_(load) {
    const Frequency lowest = std::max(spec.idle_clock, spec.clock_step);
    last_ = static_cast<std::int64_t>((full - lowest).count() / spec.clock_step.count());
    within_ = last_ + 1;
  }

  // `full`: the load at full clock. What SMs bound is found at once, the rest by halving.
  Frequency run(const LoadPower& full) {
    const std::int64_t guess = guessed(full);
    narrow(guess);
    narrow(guess - 1);
    while (within_ - over_ > 1) narrow(std::midpoint(over_, within_));
    if (within_ > last_) {
      throw ModelError(fmt::format(
          "power: the board draws {:.0f} W under this load at its lowest clock of {:.0f} MHz, more "
          "than its limit of {:.0f} W",
          power(last_, load_(clock(last_))), clock(last_).count() * 1e-6, spec_.limit.count()));
    }
    return clock(within_);
  }

 private:
  Frequency clock(std::int64_t step) const {
    return full_ - spec_.clock_step * static_cast<double>(step);
  }
  double power(std::int64_t step, const LoadPower& load) const {
    return board_power(spec_, load, ratio(clock(step), full_)).count();
  }
  std::int64_t guessed(const LoadPower& full) const {
    std::int64_t step = 1;
    while (step < last_ &&
           power(step, at_rate(full, ratio(clock(step), full_))) > spec_.limit.count()) {
      ++step;
    }
    return step;
  }
  void narrow(std::int64_t step) {
    if (step <= over_ || step >= within_) return;
    (power(step, load_(clock(step))) > spec_.limit.count() ? over_ : within_) = step;
  }

  const PowerSpec& spec_;
  const Frequency full_;
  const std::function<LoadPower(Frequency)>& load_;
  std::int64_t last_ = 0;
  std::int64_t over_ = 0;    // steps below full that still exceed the limit
  std::int64_t within_ = 0;  // steps that are enough
};

}  // namespace

double flop_energy(const PowerSpec& spec, program::DataType type) {
  switch (type) {
    case program::DataType::kBf16:
    case program::DataType::kFp16:
      return spec.bf16_pj_per_flop * kPico;
    case program::DataType::kFp8:
      return spec.fp8_pj_per_flop * kPico;
    case program::DataType::kTf32:
      return spec.tf32_pj_per_flop * kPico;
    case program::DataType::kFp32:
      break;
  }
  return spec.fp32_pj_per_flop * kPico;
}

void add(const Activity& part, double times, Activity& sum) {
  const double flops = times * part.flops * part.switching;
  if (flops > sum.flops) sum.type = part.type;
  sum.dram_bytes += times * part.dram_bytes;
  sum.l2_bytes += times * part.l2_bytes;
  sum.flops += flops;
  sum.instructions += times * part.instructions;
}

LoadPower load_power(const PowerSpec& spec, const Activity& call, Duration time) {
  const double seconds = to_seconds(time);
  const double operations = call.flops * call.switching * flop_energy(spec, call.type) +
                            call.instructions * spec.instruction_pj * kPico;
  return {call.dram_bytes * spec.dram_pj_per_byte * kPico / seconds,
          call.l2_bytes * spec.l2_pj_per_byte * kPico / seconds, operations / seconds};
}

Power board_power(const PowerSpec& spec, const LoadPower& load, double relative_clock) {
  const double s = relative_clock;
  const double v = 1.0 - spec.voltage_slope * (1.0 - s);
  return Power(spec.idle.count() + spec.clocks.count() * s * v * v + load.dram +
               v * v * (load.l2 + load.core));
}

Frequency sustained_clock(const PowerSpec& spec, Frequency full,
                          const std::function<LoadPower(Frequency)>& at) {
  const LoadPower load = at(full);
  if (board_power(spec, load, 1.0) <= spec.limit) return full;
  return ClockSearch(spec, full, at).run(load);
}

double settled_share(const PowerSpec& spec, Duration lasted) {
  return 1.0 - std::exp(-ratio(lasted, spec.settle_time));
}

}  // namespace septet::gpu
