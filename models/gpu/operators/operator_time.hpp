// The time of an operator, and the clock that its own load pulls down.
#pragma once

#include <functional>
#include <initializer_list>

#include "models/gpu/gpu_spec.hpp"
#include "models/gpu/kernel/issue.hpp"
#include "models/gpu/power/power.hpp"
#include "models/program/kernel.hpp"

namespace septet::gpu {

struct OperatorTime {
  Duration time{};
  Frequency clock{};
  Activity activity;  // for its power
  Bottleneck limiter = Bottleneck::kMemoryLatency;
  program::LaunchShape shape{};  // of its main kernel: what it takes of the SMs
};

// `at(clock)` at the clock that this history leaves.
OperatorTime under_load(const GpuSpec& gpu, const std::function<OperatorTime(Frequency)>& at,
                        const program::LoadHistory& history);

// A kernel described by its instructions, alone and at full clock (models/gpu/kernel).
OperatorTime described_time(const GpuSpec& gpu, const program::Kernel& kernel);
// The same at the clock that this history leaves.
OperatorTime described_time(const GpuSpec& gpu, const program::Kernel& kernel,
                            const program::LoadHistory& history);

// What the warps of such a kernel move and compute.
Activity activity_of(const program::Kernel& kernel, double dram_bytes);

// The shape of a kernel that fills an SM with one block: registers and shared memory for the tiles
// in flight. `blocks`: of the grid, at least one.
program::LaunchShape one_block_an_sm(const GpuSpec& gpu, double blocks);

// (sum x^norm)^(1 / norm): the largest, softened where others come close. 0 where all are.
double soft_largest(std::initializer_list<double> values, double norm);

}  // namespace septet::gpu
