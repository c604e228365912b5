// What a profiler would show of the kernel, from the kernel model. Percentages of the kernel's own
// time or of what the hardware has.
//
// Achieved occupancy follows from Little's law: blocks x residence / (slots x time), the residence
// being the time of a full wave (and of the last, smaller one) without ramp and dispatch. Eligible
// warps: w warps of a scheduler that are eligible with probability p each keep it busy for
// u = 1 - (1 - p)^w of its cycles; u is known, so p w = w (1 - (1 - u)^(1 / w)).
#pragma once

#include <optional>
#include <type_traits>

#include "models/gpu/kernel/kernel_time.hpp"
#include "models/gpu/occupancy/occupancy.hpp"
#include "scenarios/explain/kernel_description.hpp"

namespace septet::explain {

enum class Bound : std::uint8_t { kMemory, kCompute, kLatency };
constexpr auto enum_table(std::type_identity<Bound>) {
  return enum_texts<Bound>("memory", "compute", "latency");
}

// Memory: a cache, port, shared memory or DRAM is saturated; compute: issue slots or a pipe are;
// latency: nothing is.
Bound bound_of(gpu::Bottleneck limiter);

// Shares of the kernel's time by what would shorten it (elasticity.hpp): bandwidth, arithmetic,
// latency of any kind.
struct BoundShares {
  double memory = 0;
  double compute = 0;
  double latency = 0;
};

// Why warps stall: fractions of the kernel's time.
struct Stalls {
  double memory = 0;
  double synchronisation = 0;  // at barriers
  double dependency = 0;       // on the warp's own instructions
  double fetch = 0;
  double pipe = 0;  // a pipe is full, beyond its issue slots
};

// Of kernels whose blocks and instructions are known.
struct WarpMetrics {
  gpu::OccupancyLimiter limiter = gpu::OccupancyLimiter::kWarps;
  double theoretical_occupancy = 0;  // 0 to 1, as all shares here
  double achieved_occupancy = 0;
  std::uint32_t blocks_per_sm = 0;
  double active = 0;  // warps of a scheduler, mean
  double eligible = 0;
  double issue_slots = 0;
  double not_selected = 0;  // of a warp's time: it could issue, another one did
  double l1 = 0;            // use of L1 and of the SM's port
  double sm_port = 0;
  double l1_hit = 0;
};

// Arithmetic of a kernel: multiply-adds count twice, other instructions once a thread.
struct Arithmetic {
  double operations = 0;
  double per_second = 0;
  double intensity = 0;  // operations a byte of DRAM; 0: no bytes
};

struct KernelMetrics {
  Duration kernel_time{};  // first block created to last block ended
  Bound bound = Bound::kLatency;
  BoundShares shares;
  Stalls stalls;
  double waves = 0;
  std::optional<WarpMetrics> warps;
  double memory_throughput = 0;  // the fullest of DRAM, L2, L1 and SM port
  double dram = 0;
  double l2 = 0;
  double l2_hit = 0;
  double dram_bytes = 0;
  double dram_bytes_per_second = 0;
  Arithmetic arithmetic;
};

// Fills in all but `shares`.
KernelMetrics metrics_of(const gpu::GpuSpec& gpu, const KernelDescription& kernel,
                         const gpu::KernelTime& time);

Arithmetic arithmetic_of(double operations, double dram_bytes, Duration time);

// The number of warps that could issue, of `warps` that use `used` of a scheduler's slots.
double eligible_warps(double warps, double used);

}  // namespace septet::explain
