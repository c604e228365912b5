#include "models/gpu/power/power.hpp"

#include <cmath>

namespace septet::gpu {
namespace {

constexpr double kPico = 1e-12;
constexpr double kLeastClock = 0.45;  // of the full one; no load here asks for less

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

LoadPower load_power(const PowerSpec& spec, const Activity& call, Duration time) {
  const double seconds = to_seconds(time);
  const double operations = call.flops * call.switching * flop_energy(spec, call.type) +
                            call.instructions * spec.instruction_pj * kPico;
  return {call.dram_bytes * spec.dram_pj_per_byte * kPico / seconds,
          call.l2_bytes * spec.l2_pj_per_byte * kPico / seconds, operations / seconds,
          call.memory_bound};
}

Power board_power(const PowerSpec& spec, const LoadPower& load, double relative_clock) {
  const double s = relative_clock;
  const double v = 1.0 - spec.voltage_slope * (1.0 - s);
  const double rate = load.memory_bound ? 1.0 : s;
  return Power(spec.idle.count() + spec.clocks.count() * s * v * v +
               rate * (load.dram + v * v * (load.l2 + load.core)));
}

Frequency sustained_clock(const PowerSpec& spec, Frequency full, const LoadPower& load) {
  Frequency clock = full;
  while (ratio(clock, full) > kLeastClock &&
         board_power(spec, load, ratio(clock, full)) > spec.limit) {
    clock -= spec.clock_step;
  }
  return clock;
}

double settled_share(const PowerSpec& spec, Duration lasted) {
  return 1.0 - std::exp(-ratio(lasted, spec.settle_time));
}

Frequency clock_under(const PowerSpec& spec, Frequency full, const LoadPower& load,
                      double settled) {
  return full - (full - sustained_clock(spec, full, load)) * settled;
}

}  // namespace septet::gpu
