// Board power of a steady load, and the clock at which it stays within the board's limit.
//
// At relative clock s = f / f0 the voltage is v = 1 - slope (1 - s), and
//   P(s) = idle + clocks s v^2 + dram + v^2 (l2 + core)
// where dram, l2 and core are bytes and operations a second times their energies at full voltage,
// at the rates that the load reaches at that clock. The sustained clock is the highest step with
// P <= limit. Under a load from idle the clock falls towards it with a time constant.
//
// Ignored: temperature (leakage), the regulator's hunting between steps, limits by current.
// Validated against the group power and, through the clock of large products, op.
#pragma once

#include <functional>

#include "models/gpu/power/power_spec.hpp"
#include "models/program/data_type.hpp"

namespace septet::gpu {

// What a call moves and computes.
struct Activity {
  double dram_bytes = 0;
  double l2_bytes = 0;
  double flops = 0;
  program::DataType type = program::DataType::kBf16;
  double switching = 1;     // energy of the operations against random operands
  double instructions = 0;  // of single threads
};

// Adds `times` times `part`. Operations count at random operands' energy; the type is that of most.
void add(const Activity& part, double times, Activity& sum);

// Watts of a load at full voltage.
struct LoadPower {
  double dram = 0;
  double l2 = 0;
  double core = 0;
};

// Joules of one operation.
double flop_energy(const PowerSpec& spec, program::DataType type);

// Of calls of `time` each, one after the other.
LoadPower load_power(const PowerSpec& spec, const Activity& call, Duration time);

// Of the board at SM clock `relative_clock` x full clock, where the load has these rates.
Power board_power(const PowerSpec& spec, const LoadPower& load, double relative_clock);

// The highest clock at which the board stays within its limit under the load `at` that clock, whose
// power falls with it. Throws ModelError if the lowest one, that of an idle GPU, exceeds the limit.
Frequency sustained_clock(const PowerSpec& spec, Frequency full,
                          const std::function<LoadPower(Frequency)>& at);

// Share of the fall to the sustained clock that a load sees which lasts for `lasted`, 0 to 1.
double settled_share(const PowerSpec& spec, Duration lasted);

}  // namespace septet::gpu
