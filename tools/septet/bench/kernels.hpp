// Measures the cost of the kernel model in the simulation: the same launches with kernels of fixed
// block time, with one kernel that the model times (seen before from its second launch on), and
// with many different ones. With several streams kernels overlap, and sharing is in all figures.
#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/system/system.hpp"

namespace septet::command {

struct KernelsOptions {
  std::uint64_t launches = 100'000;
  std::uint32_t kernels = 1'000;  // that differ, launched round robin
  std::uint32_t streams = 1;
  std::uint32_t blocks = 132;
  std::uint64_t iterations = 1;       // of the modelled kernels; more of them: they overlap
  std::uint64_t synchronize = 1'000;  // launches between two synchronisations
  std::uint32_t repetitions = 3;      // the fastest counts
};

struct KernelsReport {
  std::uint64_t launches = 0;
  std::uint32_t kernels = 0;
  double fixed_ns = 0;  // a launch of a kernel of fixed block time, whole
  // What a launch of a kernel seen before takes beyond that, and the first launch of a kernel
  // beyond this; absent where so few launches don't show it.
  std::optional<double> seen_ns;
  std::optional<double> new_us;
  double all_seconds = 0;  // of the run with all kernels
  std::uint64_t digest = 0;
};

// (with - without) / count, two times of runs that differ by `count` costs; absent where the
// difference is no larger than `noise`, by which such times differ among themselves.
std::optional<double> extra_cost(double with, double without, double noise, double count);

// ConfigError where an option is out of its range.
KernelsReport run_kernels(const KernelsOptions& options, const system::SystemSpec& system);

}  // namespace septet::command
